// The one door to libarchive: used by BridgecastTransit, for zip files, and by nothing else.
#include <archive.h>
#include <archive_entry.h>
