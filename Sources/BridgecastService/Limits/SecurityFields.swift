// Fields of the head that every answer has, so that no browser takes an answer for what it is not; the gate adds them.
package import HTTPTypes

/// Fields of all answers.
package enum SecurityFields {
    /// For all answers but files of the page.
    package static let all: HTTPFields = make([
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
        ("Access-Control-Allow-Origin", "*"),
        (
            "Access-Control-Expose-Headers",
            "ETag, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, X-Service-Time"
        ),
    ])

    /// For the page and its service worker, which run their own modules and ask their own service, and no other host.
    package static let page: HTTPFields = make([
        ("X-Content-Type-Options", "nosniff"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
                + "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'none'"
        ),
        ("Referrer-Policy", "same-origin"),
        ("Permissions-Policy", "geolocation=(self), camera=(), microphone=(), payment=(), usb=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ])

    /// For what the page is made of: a policy counts where a document or a worker begins, and a hundred modules with
    /// their own would be fifty kilobytes more.
    package static let pageFile: HTTPFields = make([
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ])

    /// The fields of one of the page's paths.
    static func ofPage(_ path: String) -> HTTPFields {
        let begins = path.hasSuffix("/") || path.hasSuffix(".html") || path.hasSuffix("/sw.js")
        return begins ? page : pageFile
    }

    private static func make(_ pairs: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs {
            if let name = HTTPField.Name(name) {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        return fields
    }
}
