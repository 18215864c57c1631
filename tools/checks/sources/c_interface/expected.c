/* Calls that have to succeed, and what a call that fails has to leave. */
#include "check.h"

void expect_code(int32_t code, int32_t expected, const char *what) {
    expect(code == expected, "%s: code %d, not %d", what, code, expected);
}

/* That a call has failed, and left a text of why. */
void expect_usage(bridgecast *handle, int32_t code, const char *what) {
    expect_code(code, BRIDGECAST_USAGE, what);
    const char *text = code == BRIDGECAST_OK ? "-" : bridgecast_error(handle);
    expect(text && text[0] && is_utf8(text), "%s: the error's text is missing or no UTF-8", what);
}

bridgecast *opened(void) {
    char error[512] = "";
    int32_t code = -1;
    bridgecast *handle = open_model(model_path, &code, error, sizeof error);
    if (expect(handle && code == BRIDGECAST_OK, "%s: code %d, %s", model_path, code, error)) return handle;
    exit(1);
}

bridgecast *opened_now(void) {
    bridgecast *handle = opened();
    expect_code(set_time(handle, NOW), BRIDGECAST_OK, "set_time");
    return handle;
}

bridgecast_delay delay_at(bridgecast *handle, int32_t bridge, double arrival, double rho) {
    bridgecast_delay delay = {.size = sizeof delay};
    int32_t code = forecast(handle, bridge, arrival, rho, &delay);
    expect(code == BRIDGECAST_OK, "forecast at %d, rho %g: code %d", bridge, rho, code);
    const char *fault = code == BRIDGECAST_OK ? fault_of_delay(&delay) : NULL;
    expect(!fault, "forecast at %d, rho %g: %s", bridge, rho, fault);
    return delay;
}
