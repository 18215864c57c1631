/* The one door to libmosquitto, a client of MQTT: used by BridgecastAlertCarriers, and by nothing else. */
#include <mosquitto.h>
