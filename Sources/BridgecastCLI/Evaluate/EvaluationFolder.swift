// `bridgecast evaluate --report DIR`: the page, the pictures, the figures as JSON, and the model card.
import BridgecastEngine
import BridgecastTraining

enum EvaluationFolder {
    /// Writes report.html, a picture each, scores.json, report.txt and card.md.
    static func write(
        _ output: EvaluationOutput, of model: LoadedModel, to folder: OutputFolder
    ) throws {
        func put(_ text: String, _ name: String) throws {
            try folder.file(name).write(text)
        }
        let pictures = EvaluationCharts.all(output.report)
        for picture in pictures { try put(picture.svg + "\n", "\(picture.name).svg") }
        let text = EvaluationText.text(output)
        try put(text + "\n", "report.txt")
        try put(try json(output) + "\n", "scores.json")
        try put(ModelCard.text(output, of: model), "card.md")
        try put(page(output.report, text, pictures), "report.html")
    }

    private static func page(
        _ report: EvaluationReport, _ text: String,
        _ pictures: [(name: String, caption: String, svg: String)]
    ) -> String {
        let figures = pictures.map { picture in
            "<figure>\n\(picture.svg)\n<figcaption>\(SVGChart.escaped(picture.caption))"
                + "</figcaption>\n</figure>"
        }.joined(separator: "\n")
        let skill = report.total.modelSkill
        let warning =
            report.isInSample
            ? #"<p class="warning">Not a test: the model was fitted to records of this period.</p>"#
            : ""
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Bridgecast: evaluation of \(SVGChart.escaped(report.model))</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; \
            color: #222; background: #fafafa }
            .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); gap: 1.5rem }
            figure { margin: 0; background: white; border: 1px solid #ddd; border-radius: 6px; padding: 1rem }
            figcaption { color: #555; font-size: 0.9rem }
            svg { width: 100%; height: auto }
            pre { background: white; border: 1px solid #ddd; border-radius: 6px; padding: 1rem; \
            overflow-x: auto; font-size: 0.8rem; line-height: 1.4 }
            .key { font-size: 1.15rem }
            .warning { color: #a00; font-weight: 600 }
            </style>
            <h1>How good is the forecast?</h1>
            <p class="key">Skill over climatology: <b>\(fixed(skill.value, 3))</b> \
            (95 % interval \(EvaluationText.interval(skill))), from \(report.total.rows) forecasts \
            on \(report.days) days, \(SVGChart.escaped(report.from)) to \
            \(SVGChart.escaped(report.to)).</p>
            \(warning)
            <div class="figures">
            \(figures)
            </div>
            <h2>All figures</h2>
            <pre>\(SVGChart.escaped(text))</pre>
            </html>

            """
    }
}
