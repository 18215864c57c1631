// The one door to Nettle: used by BridgecastDigest and by nothing else.
#include <nettle/sha2.h>
