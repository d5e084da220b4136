import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

@Suite("Text form: round trips", .timeLimit(.minutes(20))) struct TextRoundTripTests {
  @Test("The text of any condition is read as that condition") func conditions() throws {
    let seed = PieceRandom.freshSeed()
    for number in 0..<TestEffort.count(600, more: 3_000) {
      var generator = RandomCondition(seed: seed &+ UInt64(number))
      let condition = generator.condition(number % 6)
      let text = QueryPrinter.text(of: condition)
      let place = "seed \(seed &+ UInt64(number)), size \(number % 6): \(text)"
      do {
        let read = try QueryTextForm.parse(text, type: "Person", schema: .unknown).condition
        #expect(read == condition, "\(place)")
        if read != condition { return }
      } catch {
        Issue.record(error, "\(place)")
        return
      }
    }
  }

  @Test(
    "Names of any scalars are read as they were",
    arguments: ["``", "`\u{301}", "a'\u{31A}`", "\u{301}", "a b"]
  )
  func names(_ name: String) throws {
    let condition = QueryCondition.comparison(.name(name), .equal, .value(.string("'\u{301}")))
    let text = QueryPrinter.text(of: condition)
    #expect(try QueryTextForm.parse(text, type: "Person", schema: .unknown).condition == condition, "\(text)")
  }

  @Test("What is no normal form is printed as what it means") func normalForm() {
    let age = QueryCondition.comparison(.name("age"), .equal, .int(1))
    #expect(QueryPrinter.text(of: .all([])) == "TRUEPREDICATE")
    #expect(QueryPrinter.text(of: .any([])) == "FALSEPREDICATE")
    #expect(QueryPrinter.text(of: .any([.all([age])])) == "age == 1")
    #expect(QueryPrinter.text(of: .all([age, .any([age, age])])) == "age == 1 AND (age == 1 OR age == 1)")
  }

  @Test("Every text gives a query or an error that shows the place") func mutations() throws {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    let pieces = TextPieces.all
    var read = 0
    for number in 0..<TestEffort.count(2_000, more: 20_000) {
      var text = Array((pieces.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1: if place < text.count { text.remove(at: place) }
        case 2: text = Array(text.prefix(place))
        case 3: text.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
        default:
          text.insert(contentsOf: (TextPieces.words.randomElement(using: &random) ?? "").utf8, at: place)
        }
      }
      let query = String(decoding: text, as: UTF8.self)
      do {
        let description = try QueryTextForm.parse(
          query,
          arguments: [.value(.integer(3)), .untyped("x")].prefix(number % 3).map { $0 },
          type: "Person",
          schema: number % 2 == 0 ? TextSchema.schema : .unknown
        )
        read += 1
        // A text that was read can be written and read again.
        let again = QueryPrinter.text(of: description)
        #expect(
          try QueryTextForm.parse(again, type: "Person", schema: .unknown) == description,
          "seed \(seed), number \(number): \(query): \(again)"
        )
      } catch let error as FiefError {
        let codes: [FiefError.Code] = [.malformedQuery, .unknownProperty, .invalidQuery, .unknownType]
        #expect(codes.contains(error.code), "seed \(seed), number \(number): \(query): \(error)")
        #expect(error.details.first?.hasPrefix("at: line ") == true || query.utf8.count > 1 << 20, "\(error)")
      }
    }
    #expect(read > TestEffort.count(100, more: 1_000), "seed \(seed)")
  }
}
