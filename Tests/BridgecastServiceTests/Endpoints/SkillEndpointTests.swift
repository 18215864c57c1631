// The evaluation that ships beside the model, and what is said if it is of another one.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

struct SkillEndpointTests {
    private func skill(_ data: Data?) async throws -> [String: Any] {
        var parts = try ServiceFixture.parts()
        parts.skill = data
        let answer = try await ServiceFixture.answer(
            "/api/v1/skill", from: ServiceState(parts, ServiceSettings()))
        let json = try JSONSerialization.jsonObject(with: Data(ServiceFixture.bytes(answer)))
        return try #require(json as? [String: Any])
    }

    private var shipped: Data {
        get throws { try Data(contentsOf: Fixtures.model("bridgecast.skill.json")) }
    }

    @Test func `every figure lies in its interval`() async throws {
        let answer = try await skill(try shipped)
        let evaluation = try #require(answer["evaluation"] as? [String: Any])
        let leads = try #require(evaluation["by_lead"] as? [[String: Any]])
        let bridges = try #require(evaluation["by_bridge"] as? [[String: Any]])
        #expect(leads.compactMap { $0["lead_min"] as? Int }.last == 60)
        #expect(bridges.count >= 6)
        for group in leads + bridges + [try #require(evaluation["total"] as? [String: Any])] {
            for name in ["log_loss_skill", "brier_skill", "calibration_error", "auc"] {
                let estimate = try #require(group[name] as? [String: Double], "\(name)")
                let (low, high) = (try #require(estimate["low"]), try #require(estimate["high"]))
                #expect(low <= high)
                // Errors of calibration can only grow when days are drawn again.
                if name != "calibration_error" {
                    #expect((low...high).contains(try #require(estimate["value"])))
                }
            }
        }
        let bands = try #require(evaluation["reliability"] as? [[String: Any]])
        #expect(bands.map { $0["from"] as? Double } == [0, 0.01, 0.05, 0.2, 0.5])
        let cases = bands.compactMap { $0["cases"] as? Int }.reduce(0, +)
        #expect(cases == (evaluation["total"] as? [String: Any])?["cases"] as? Int)
    }

    @Test func `the shipped evaluation is of the shipped model's recipe on days it had not seen`()
        async throws
    {
        let answer = try await skill(try shipped)
        let evaluation = try #require(answer["evaluation"] as? [String: Any])
        #expect(evaluation["in_sample"] as? Bool == false)
        #expect(!SkillDocument.isReadable(Data("# Bridgecast".utf8)))
        let warnings = try #require(answer["warnings"] as? [String])
        #expect(warnings.allSatisfy { !$0.contains("another model") })
        #expect(warnings.contains { $0.contains("as fitted to records before 2026-02-15") })
    }

    @Test func `the evaluation of another model is shown with a warning`() async throws {
        let text = String(decoding: try shipped, as: UTF8.self).replacingOccurrences(
            of: #""seed": "1""#, with: #""seed": "2""#)
        let warnings = try #require(try await skill(Data(text.utf8))["warnings"] as? [String])
        #expect(warnings.contains { $0.contains("another model") })
    }

    @Test func `evaluations with and without reliability by bridge are served as described`()
        async throws
    {
        let description = try ServiceDescription()
        for hasReliability in [false, true] {
            var file = try #require(
                try JSONSerialization.jsonObject(with: try shipped) as? [String: Any])
            var bands = try #require(file["reliability"] as? [[String: Any]])
            // A quiet bridge is never said to be up more often than not.
            bands[4].merge(["cases": 0, "said": NSNull(), "happened": NSNull()]) { $1 }
            let bridges = try #require(file["by_bridge"] as? [[String: Any]])
            file["by_bridge"] = bridges.map { bridge in
                var bridge = bridge
                bridge["reliability"] = hasReliability ? bands : nil
                return bridge
            }
            let answer = try await skill(try JSONSerialization.data(withJSONObject: file))
            let evaluation = try #require(answer["evaluation"] as? [String: Any])
            let served = try #require(evaluation["by_bridge"] as? [[String: Any]])
            #expect(served.allSatisfy { ($0["reliability"] != nil) == hasReliability })
            let problems = description.validator.problems(
                try JSONValue.read(JSONSerialization.data(withJSONObject: answer)),
                try #require(description.schema("Skill")))
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    @Test func `without an evaluation it is not found, and so is a broken one`() async throws {
        for data in [nil, Data("{\"evaluated_model\":".utf8)] {
            let problem = await #expect(throws: Problem.self) { try await skill(data) }
            #expect(problem?.status == .notFound)
        }
    }
}
