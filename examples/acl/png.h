/* png.h: writes an image as a PNG file (8-bit RGB, one zlib stream, no filter). Link with -lz. */
#ifndef EXAMPLES_ACL_PNG_H
#define EXAMPLES_ACL_PNG_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void png_number(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Length, type, data, and the checksum of the last two. */
static void png_chunk(FILE *file, const char *type, const unsigned char *data, uint32_t bytes) {
    unsigned char number[4];
    png_number(number, bytes);
    fwrite(number, 1, 4, file);
    fwrite(type, 1, 4, file);
    fwrite(data, 1, bytes, file);
    uLong checksum = crc32(0, (const unsigned char *)type, 4);
    if (bytes > 0)
        checksum = crc32(checksum, data, bytes);
    png_number(number, (uint32_t)checksum);
    fwrite(number, 1, 4, file);
}

/* `rgb`: height rows of width pixels of 3 bytes, top row first. Ends the program if the file cannot
 * be written. */
static void write_png(const char *path, const unsigned char *rgb, int width, int height) {
    size_t row_bytes = 3 * (size_t)width, raw_bytes = (row_bytes + 1) * (size_t)height;
    uLong packed_bytes = compressBound(raw_bytes);
    unsigned char *raw = malloc(raw_bytes), *packed = malloc(packed_bytes), header[13] = {0};
    FILE *file = fopen(path, "wb");
    if (!raw || !packed || !file) {
        perror(path);
        exit(1);
    }
    for (int y = 0; y < height; y++) {
        unsigned char *row = raw + (row_bytes + 1) * (size_t)y;
        row[0] = 0; /* this row is not filtered */
        memcpy(row + 1, rgb + row_bytes * (size_t)y, row_bytes);
    }
    compress(packed, &packed_bytes, raw, raw_bytes);
    png_number(header, (uint32_t)width);
    png_number(header + 4, (uint32_t)height);
    header[8] = 8; /* bits a channel */
    header[9] = 2; /* RGB */
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    png_chunk(file, "IHDR", header, sizeof header);
    png_chunk(file, "IDAT", packed, (uint32_t)packed_bytes);
    png_chunk(file, "IEND", header, 0);
    if (fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    free(raw);
    free(packed);
}

#endif
