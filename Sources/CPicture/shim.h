// The one door to librsvg and cairo: used by BridgecastService for pictures of widgets, and by nothing else. Their headers lie
// in folders that only pkg-config knows, and include those of GTK. These functions have been the same since librsvg 2.46
// (2019) and cairo 1.0 (2005).
typedef struct { double x, y, width, height; } RsvgRectangle;

void *rsvg_handle_new_from_data(const unsigned char *data, unsigned long length, void **error);
int rsvg_handle_render_document(void *handle, void *cairo, const RsvgRectangle *viewport, void **error);
void g_object_unref(void *object);

void *cairo_image_surface_create_for_data(unsigned char *data, int format, int width, int height, int stride);
int cairo_surface_status(void *surface);
void cairo_surface_flush(void *surface);
void cairo_surface_destroy(void *surface);
void *cairo_create(void *surface);
void cairo_destroy(void *cairo);
