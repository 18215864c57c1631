// A widget as a document that any page may frame: the picture, a link to the page, and one script that counts down.
internal import BridgecastCore
internal import BridgecastSupport
internal import BridgecastTransit
internal import HTTPTypes
private import Foundation

struct WidgetEmbed: Sendable {
    let html: String
    /// Header fields of its own: any page may frame it, and nothing runs but its script.
    let fields: HTTPFields

    /// The script in the page's folder.
    static let scriptPath = "widgets/embed.js"

    private static let style =
        "html,body{margin:0;background:transparent}a{display:block;color:inherit;text-decoration:none}"
        + "a:focus-visible{outline:3px solid Highlight;outline-offset:-3px;border-radius:18px}"
        + "svg{display:block;width:100%;height:auto;max-height:100vh}"
        + "#age{position:fixed;left:50%;bottom:4px;transform:translateX(-50%);margin:0;padding:1px 8px;"
        + "border-radius:8px;white-space:nowrap;font:700 11px/1.5 system-ui,sans-serif;color:#fff;background:#B03A2E}"
        // Screen readers speak of changes in what was there before: it is there, without size.
        + "#age:empty{padding:0}"

    /// - Parameters:
    ///   - target: Where the picture leads, relative to the widget's address; nil for nowhere.
    ///   - now: When the picture was made, by the service's clock.
    ///   - script: The text of ``scriptPath``; nil without the page, when it does not count down but is loaded again.
    init(
        _ picture: WidgetPicture, _ options: WidgetOptions, target: String?, at now: Timestamp,
        script: String?
    ) {
        let texts = WidgetTexts.of(options.language)
        let data = [
            ("refresh", "\(options.refreshSeconds)"), ("made", "\(now.secondsSinceEpoch)"),
            ("now", texts.now), ("before", texts.old.before), ("after", texts.old.after),
        ].map { " data-\($0)=\"\(HTMLText.escaped($1))\"" }.joined()
        let reload = "<meta http-equiv=\"refresh\" content=\"\(options.refreshSeconds)\">"
        let title = HTMLText.escaped(picture.title)
        let shown =
            target.map {
                "<a href=\"\(HTMLText.escaped($0))\" target=\"_blank\" rel=\"noopener\">"
                    + "<span id=\"picture\">\(picture.svg)</span></a>"
            } ?? "<span id=\"picture\">\(picture.svg)</span>"
        html =
            "<!doctype html><html lang=\"\(options.language.rawValue)\"><head><meta charset=\"utf-8\">"
            + "<title>\(title)</title>"
            + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
            + "<meta name=\"color-scheme\" content=\"\(Self.schemes(options.theme))\">"
            + (script == nil ? reload : "<noscript>\(reload)</noscript>")
            + "<style>\(Self.style)</style></head><body\(data)>\(shown)"
            + "<p id=\"age\" role=\"status\"></p>"
            + (script.map { "<script>\($0)</script>" } ?? "") + "</body></html>\n"
        fields = WidgetSecurity.ofDocument(options.theme, style: Self.style, script: script)
    }

    private static func schemes(_ theme: WidgetTheme) -> String {
        theme == .auto ? "light dark" : theme.rawValue
    }
}

/// Policies without `frame-ancestors`, whose `*` leaves out pages in files and apps: anything may frame a widget.
enum WidgetSecurity {
    /// Header fields of a picture in SVG, which has a style sheet and nothing else.
    static func ofPicture(_ theme: WidgetTheme) -> HTTPFields {
        [
            .contentSecurityPolicy:
                "default-src 'none'; style-src \(source(WidgetStyle.sheet(theme)))"
        ]
    }

    static func ofDocument(_ theme: WidgetTheme, style: String, script: String?) -> HTTPFields {
        let styles = "\(source(style)) \(source(WidgetStyle.sheet(theme)))"
        let scripts = script.map { "script-src \(source($0)); connect-src 'self'; " } ?? ""
        return [
            .contentSecurityPolicy:
                "default-src 'none'; style-src \(styles); \(scripts)"
                + "base-uri 'none'; form-action 'none'",
            .known("Permissions-Policy"):
                "geolocation=(), camera=(), microphone=(), payment=(), usb=()",
        ]
    }

    /// The source expression of one text (CSP 3, 2.3.1).
    private static func source(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(Array(text.utf8))).base64EncodedString())'"
    }
}
