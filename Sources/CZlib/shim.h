// The one door to zlib: used by BridgecastRoadImport and by nothing else.
#include <zlib.h>
