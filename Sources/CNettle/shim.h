// The one door to Nettle: used by BridgecastSupport alone.
#include <nettle/gcm.h>
#include <nettle/sha2.h>
