"""thrum bsp-probe, and mpiexec --bsp-report."""
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

from commands import BIN, CommandTest, mpiexec, run

PROGRAM = r'''
#include <thrum/bsp.h>
static char data[100000], area[400000];
int main(void) {
    bsp_begin(bsp_nprocs());
    bsp_push_reg(area, sizeof area);
    bsp_sync();                                           /* 0: nothing */
    if (bsp_pid() == 0)
        for (int i = 1; i < bsp_nprocs(); ++i)
            bsp_put(i, data, area, 0, 1000);
    bsp_sync();                                           /* 1: h = 3,000, out of process 0 */
    bsp_put(2, data, area, 1000 * bsp_pid(), 500);
    bsp_sync_count(bsp_pid() == 2 ? 4 : 0);               /* 2: h = 2,000, into process 2 */
    volatile double x = 1;
    for (int i = 0; bsp_pid() == 3 && i < 30000000; ++i)
        x *= 1.0000001;
    bsp_get(1, area, 0, data, 100000);
    bsp_sync();                                           /* 3: work; h = 400,000, out of process 1 */
    bsp_end();
    return 0;
}
'''
ROW = re.compile(r'^ +(\d+) +(global|counted) +(\S+) +(\d+) +(\S+) +(\S+)$', re.M)


class Supersteps(CommandTest):
    def test_the_probe_prints_the_parameters_of_the_cost_model(self):
        output = self.succeeds(run(BIN / 'thrum', 'bsp-probe', '-n', 3))
        self.assertRegex(output, r'p +3 processes\ns +[\d.]+ Mflop/s')
        self.assertRegex(output, r'\ng +[\d.]+ ns/byte +[\d.]+ flop/word\nl +[\d.]+ ns')
        self.assertIn('(global)', output)
        self.assertIn('(counting)', output)

    def test_an_unknown_command_is_refused(self):
        self.fails(run(BIN / 'thrum', 'bsp-prob'), 2, 'unknown command bsp-prob')

    def test_the_probe_works_with_node_processes(self):
        output = self.succeeds(run(BIN / 'thrum', 'bsp-probe', '-n', 2, '--processes'))
        self.assertRegex(output, r'p +2 processes\n')

    def test_the_report_has_work_h_relation_and_times_of_each_superstep(self):
        self.check_report()

    def test_several_node_processes_write_one_report(self):
        self.check_report('--ranks-per-process', 2)

    def check_report(self, *options):
        program = self.compile('supersteps', PROGRAM)
        code, output, errors = mpiexec('-n', 4, *options, '--bsp-report', program, cwd=self.scratch)
        self.assertEqual(code, 0, errors)
        self.assertEqual(output, '')
        for text in errors, (self.scratch / 'bsp-report.txt').read_text():
            self.assertIn('BSP report: 4 processes, 4 supersteps', text)
            rows = ROW.findall(text)
            self.assertEqual([(row[0], row[1], int(row[3])) for row in rows],
                             [('0', 'global', 0), ('1', 'global', 3000), ('2', 'counted', 2000), ('3', 'global', 400000)])
            work, predicted, measured = (float(rows[3][i]) for i in (2, 4, 5))
            self.assertGreater(work, 5000)  # microseconds
            self.assertGreater(predicted, work)
            self.assertGreaterEqual(measured, work)
        picture = ElementTree.parse(self.scratch / 'bsp-report.svg').getroot()
        self.assertTrue(picture.tag.endswith('svg'))
        self.assertEqual(len([e for e in picture if e.tag.endswith('polyline')]), 3)

    def test_the_report_has_the_name_that_the_environment_gives(self):
        program = self.compile('supersteps', PROGRAM)
        environment = os.environ | {'THRUM_BSP_REPORT': str(self.scratch / 'other')}
        self.succeeds(mpiexec('-n', 4, program, env=environment))
        self.assertTrue((self.scratch / 'other.svg').exists())


if __name__ == '__main__':
    unittest.main()
