/* The one door to libpq, a client of PostgreSQL: used by BridgecastPostgreSQL, and by nothing else. */
#ifndef BRIDGECAST_POSTGRESQL_H
#define BRIDGECAST_POSTGRESQL_H

/* Debian has the header in a folder of its own; others have it among the rest. */
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/* Without a receiver libpq writes the server's notices to standard error. */
static inline void bridgecast_postgresql_ignore_notice(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}

static inline void bridgecast_postgresql_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, bridgecast_postgresql_ignore_notice, NULL);
}

#endif
