// Rows and fields of comma-separated values: what BridgecastData/Scanning calls. Included by CBridgecastKernels.h.
//
// Quoting is regular where every quote stands beside a separator or at a row's end, and no line ends within quotes:
// then a field that begins with a quote ends with one and holds no other. What is not regular is left to the caller.
#ifndef BCK_TEXT_H
#define BCK_TEXT_H

#include <stddef.h>
#include <stdint.h>

/// Separators that a call may find; less than 64 below it, the call ends.
#define BCK_MAX_SEPARATORS 2048

/// What stands in a text from the start of a row on.
typedef struct bck_rows {
    /// Places of the commas and line feeds outside quotes; a carriage return may stand before a line feed.
    /// Room for BCK_MAX_SEPARATORS.
    uint32_t *separators;
    /// For each whole row, how many separators there are up to the line feed that ends it. As much room.
    uint32_t *ends;
    size_t separator_count, row_count;
} bck_rows;

#endif
