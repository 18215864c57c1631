// The only declarations of librsvg and cairo: used by BridgecastService for pictures of widgets, and by nothing else. Their headers lie
// in folders that only pkg-config knows, and include those of GTK. These functions have been the same since librsvg 2.46
// (2019) and cairo 1.0 (2005); tools/checks/c_interface compiles them beside the real ones.
#ifndef BRIDGECAST_PICTURE_H
#define BRIDGECAST_PICTURE_H

// Their own types where their headers are there.
#ifndef RSVG_H
typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef enum { CAIRO_STATUS_SUCCESS = 0 } cairo_status_t;
typedef enum { CAIRO_FORMAT_INVALID = -1, CAIRO_FORMAT_ARGB32 = 0 } cairo_format_t;
typedef struct _RsvgHandle RsvgHandle;
typedef struct { double x, y, width, height; } RsvgRectangle;
typedef struct { unsigned int domain; int code; char *message; } GError;
#endif

RsvgHandle *rsvg_handle_new_from_data(const unsigned char *data, unsigned long length, GError **error);
int rsvg_handle_render_document(RsvgHandle *handle, cairo_t *cairo, const RsvgRectangle *viewport, GError **error);
void g_object_unref(void *object);
void g_error_free(GError *error);

cairo_surface_t *cairo_image_surface_create_for_data(unsigned char *data, cairo_format_t format, int width, int height,
                                                     int stride);
cairo_status_t cairo_surface_status(cairo_surface_t *surface);
void cairo_surface_finish(cairo_surface_t *surface);
void cairo_surface_destroy(cairo_surface_t *surface);
cairo_t *cairo_create(cairo_surface_t *surface);
void cairo_destroy(cairo_t *cairo);

#endif
