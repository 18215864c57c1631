// `/widget/{line}/{stop}` and `/widget/board/{stop}`: departures to put into other pages, as HTML, SVG and PNG.
internal import BridgecastCore
internal import BridgecastSupport
internal import BridgecastTransit
internal import HTTPTypes
private import Foundation

enum WidgetEndpoints {
    /// The name of a board in place of a line's.
    private static let board = "board"

    // The first that fits is taken: a board is no line, and a form's ending is no part of a stop's identifier.
    static let all = ["/widget/\(board)/{stop}", "/widget/{line}/{stop}"].flatMap { path in
        let forms = [
            Endpoint.getHeavy(
                "\(path).png", WidgetOptions.parameters, forms: [.png],
                sharedFor: WidgetPeriod.sharedPictures
            ) { try await picture($0) },
            Endpoint.get(
                "\(path).svg", WidgetOptions.parameters, forms: [.svg],
                sharedFor: WidgetPeriod.shared
            ) { drawing($0) },
            Endpoint.get(
                path, WidgetOptions.parameters, forms: [.html], sharedFor: WidgetPeriod.shared
            ) { document($0) },
        ]
        return forms.map { endpoint in
            // Where a frame or a picture is, JSON would not be seen.
            var endpoint = endpoint
            endpoint.showsWrongQueries = true
            // Only the document says when it asks again.
            if endpoint.forms != [.html] {
                endpoint.unsharedParameters = WidgetOptions.refreshIfValid
            }
            return endpoint
        }
    }

    /// Pixels of a PNG for each of the picture's, as screens of phones have.
    private static let pixelsPerUnit = 2

    private static func document(_ request: ServiceRequest) -> ServiceAnswer {
        let widget = Widget(request)
        let page = request.state.parts.page
        let embed = WidgetEmbed(
            widget.picture, widget.options, target: page == nil ? nil : widget.target,
            at: request.now, script: page?.text(WidgetEmbed.scriptPath))
        return widget.answer(.html, Array(embed.html.utf8), embed.fields)
    }

    private static func drawing(_ request: ServiceRequest) -> ServiceAnswer {
        let widget = Widget(request)
        return widget.answer(
            .svg, Array(widget.picture.svg.utf8), WidgetSecurity.ofPicture(widget.options.theme))
    }

    @concurrent private static func picture(_ request: ServiceRequest) async throws -> ServiceAnswer
    {
        let widget = Widget(request)
        let png = try PictureRenderer.png(
            Array(widget.picture.svg.utf8), width: pixelsPerUnit * Int(widget.picture.width),
            height: pixelsPerUnit * Int(widget.picture.height))
        return widget.answer(.png, png)
    }

    /// What one of the three forms is made of.
    private struct Widget {
        let options: WidgetOptions
        let picture: WidgetPicture
        /// The page's view of the same, relative to the widget's address.
        var target: String?
        private let period: WidgetPeriod
        private var status = HTTPResponse.Status.ok

        /// A wrong parameter, and a stop or line that there is not, is a picture of its own.
        init(_ request: ServiceRequest) {
            period = WidgetPeriod(at: request.now)
            let isBoard = request.path.count == 1
            var options = WidgetOptions(ofWrong: request.query, isBoard: isBoard)
            do throws(Problem) {
                if let problem = request.queryProblem { throw problem }
                options = try WidgetOptions(request.query, isBoard: isBoard)
                let view = try TransitView(request)
                let subject = try Self.subject(request.path, view)
                picture = WidgetPicture(WidgetContent(subject, options, view))
                target = Self.target(request.path, options)
            } catch {
                picture = WidgetPicture(error, options)
                status = error.status
                // A press leads to where a valid address is made.
                if EmbedConfigurationInvalid(error) != nil {
                    target = EmbedConfigurationInvalid.maker
                }
            }
            self.options = options
        }

        private static func subject(
            _ path: [String], _ view: TransitView
        ) throws(Problem) -> WidgetSubject {
            let stop = try view.stop(path.last ?? "")
            guard path.count == 2 else { return .board(stop) }
            return .line(try view.route(path[0]), stop)
        }

        private static func target(_ path: [String], _ options: WidgetOptions) -> String {
            let parts = path.map {
                $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            }
            let isBoard = parts.count == 1
            let query = [
                isBoard ? nil : "stop=\(parts[1])",
                options.hasOwnLanguage ? "lang=\(options.language.rawValue)" : nil,
            ].compactMap { $0 }.joined(separator: "&")
            return "../../\(isBoard ? "board" : "line")/\(parts[0])"
                + (query.isEmpty ? "" : "?\(query)")
        }

        func answer(
            _ form: MediaType, _ bytes: [UInt8], _ fields: HTTPFields = [:]
        ) -> ServiceAnswer {
            var answer = ServiceAnswer(form, bytes, keeping: .until(period.end))
            answer.fields = fields
            answer.status = status
            return answer
        }
    }
}

/// The address of a widget asks for what there is not.
struct EmbedConfigurationInvalid: Failure, Equatable {
    /// What is wrong with it.
    let reason: String

    /// The page's view that makes addresses of widgets, relative to that of a widget.
    static let maker = "../../?view=widget"

    /// A problem of an address; nil for one that passes by itself.
    init?(_ problem: Problem) {
        guard problem.status == .badRequest || problem.status == .notFound else { return nil }
        reason =
            problem.status == .badRequest
            ? "\(problem.detail): \(problem.recovery)" : problem.detail
    }

    var kind: FailureKind { .usage }
    var description: String { "this widget's address is not valid: \(reason)" }
    var recovery: String { "Make the address again: /?view=widget" }
}
