"""Drives a headless Chromium over the DevTools protocol: pipes, no port and no library."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time


class Browser:
    """One page. Keeps what the page writes to the console and the exceptions that nothing caught."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix='thrum-chromium-')
        commands, answers = os.pipe(), os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4. A shell moves ours to there.
        move = f'exec 3<&{commands[0]} 4>&{answers[1]}; exec "$@"'
        self.process = subprocess.Popen(
            [
                'bash',
                '-c',
                move,
                'bash',
                'chromium',
                '--headless=new',
                '--remote-debugging-pipe',
                '--no-sandbox',
                '--no-first-run',
                '--disable-gpu',
                '--disable-extensions',
                '--disable-background-networking',
                '--hide-scrollbars',
                '--force-color-profile=srgb',
                '--font-render-hinting=none',
                f'--user-data-dir={self.profile}',
                'about:blank',
            ],
            pass_fds=(commands[0], answers[1]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(commands[0])
        os.close(answers[1])
        self.commands, self.answers = commands[1], answers[0]
        self.unread, self.number, self.session, self.events, self.problems = b'', 0, None, [], []
        page = next(target for target in self.call('Target.getTargets')['targetInfos'] if target['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=page['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):
            self.call(f'{domain}.enable')

    def receive(self):
        while b'\0' not in self.unread:
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise RuntimeError('chromium has closed its pipe')
            self.unread += data
        message, self.unread = self.unread.split(b'\0', 1)
        return json.loads(message)

    def note(self, message):
        """Keeps an event, and what the page reports about its own faults."""
        parameters = message.get('params', {})
        self.events.append(message.get('method'))
        if message.get('method') == 'Runtime.exceptionThrown':
            details = parameters['exceptionDetails']
            self.problems.append(details.get('exception', {}).get('description', details['text']))
        if message.get('method') == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning', 'assert'):
            self.problems.append(str(parameters['args']))
        if message.get('method') == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
            self.problems.append(parameters['entry']['text'])

    def call(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.commands, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self.note(answer)

    def open(self, path, width=1280, height=900, scheme='light'):
        """Opens a page, a file or an address, and returns the seconds until it was loaded and painted."""
        self.problems.clear()
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
        self.events.clear()
        start = time.monotonic()
        self.call('Page.navigate', url=path if isinstance(path, str) else path.resolve().as_uri())
        while 'Page.loadEventFired' not in self.events:
            self.note(self.receive())
        self.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))')
        return time.monotonic() - start

    def value(self, expression):
        """Evaluates JavaScript in the page and returns its value."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def key(self, key, text='', modifiers=0):
        for kind in ('keyDown', 'keyUp'):
            self.call(
                'Input.dispatchKeyEvent',
                type=kind,
                key=key,
                text=text if kind == 'keyDown' else '',
                modifiers=modifiers,
            )

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def screenshot(self, path, whole=True):
        picture = self.call(
            'Page.captureScreenshot',
            format='png',
            captureBeyondViewport=whole,
            **({'clip': self.extent()} if whole else {}),
        )
        path.write_bytes(base64.b64decode(picture['data']))

    def extent(self):
        size = self.call('Page.getLayoutMetrics')['cssContentSize']
        return {'x': 0, 'y': 0, 'width': size['width'], 'height': min(size['height'], 16000), 'scale': 1}

    def pdf(self, path):
        path.write_bytes(
            base64.b64decode(self.call('Page.printToPDF', printBackground=False, preferCSSPageSize=True)['data'])
        )

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)
