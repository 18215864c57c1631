/* Whether a text is UTF-8, and whether bytes are as they were. */
#include "check.h"

/* How many bytes the character at a place has, 0 if it is none. */
static int character_length(const unsigned char *place) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (place[0] < 0x80) return 1;
    if (place[0] < 0xC0 || place[0] >= 0xF8) return 0;
    int length = place[0] < 0xE0 ? 2 : place[0] < 0xF0 ? 3 : 4;
    uint32_t character = place[0] & (0x7F >> length);
    for (int index = 1; index < length; index++) {
        if ((place[index] & 0xC0) != 0x80) return 0;
        character = character << 6 | (place[index] & 0x3F);
    }
    bool is_surrogate = character >= 0xD800 && character < 0xE000;
    return character < least[length] || character > 0x10FFFF || is_surrogate ? 0 : length;
}

/* Of a text that ends with a zero; no character reaches past that. */
bool is_utf8(const char *text) {
    const unsigned char *place = (const unsigned char *)text;
    while (*place) {
        int length = character_length(place);
        if (length == 0) return false;
        place += length;
    }
    return true;
}

bool all_are(const unsigned char *bytes, size_t count, unsigned char value) {
    for (size_t index = 0; index < count; index++)
        if (bytes[index] != value) return false;
    return true;
}
