import Foundation
import Testing

/// The inputs that the fuzzers have found, in a usual build. A target has one set of files, which it uses one after the other.
@Suite(.serialized) struct CorpusTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func noInputIsAFinding(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus/\(name).txt")
    let inputs = try FuzzCorpus.inputs(String(contentsOf: corpus, encoding: .utf8))
    #expect(inputs.count > 20, "the corpus of \(name) has \(inputs.count) inputs")
    for input in try target.seeds() + inputs {
      do { try target.run(input, .none) } catch {
        Issue.record("\(name), \(Data(input).base64EncodedString()): \(error)")
      }
    }
  }

  /// A fuzzer has to find the defect, and is not given it.
  @Test(arguments: FuzzTarget.all.map(\.name))
  func theInputsToBeginWithDoNotMeetThePlantedDefect(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    for seed in try target.seeds() { try target.run(seed, .planted) }
  }

  @Test func aCorpusIsReadAsItWasWritten() throws {
    let inputs: [[UInt8]] = [[], [0], [255, 0, 1], [7]]
    let text = FuzzCorpus.text(inputs.reversed() + inputs)
    #expect(try FuzzCorpus.inputs(text) == [[0], [7], [255, 0, 1]])
    #expect(throws: FuzzFinding.self) { try FuzzCorpus.inputs("#") }
  }
}
