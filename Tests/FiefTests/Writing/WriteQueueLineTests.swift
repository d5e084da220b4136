import Fief
import TestEffort
import Testing

@testable import FiefCore

@Suite struct WriteQueueLineTests {
  @Test func agreesWithAnArray() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    var line = WriteQueueLine<String>()
    var model: [(ticket: UInt64, element: String)] = []
    var next: UInt64 = 0
    for round in 0..<TestEffort.count(8_000, more: 20_000) {
      // Long phases of growing and of shrinking, so that the line is long, short and empty.
      let growth = (round / 2000).isMultiple(of: 2) ? 60 : 20
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<growth:
        line.append("\(next)", ticket: next)
        model.append((next, "\(next)"))
        next += UInt64.random(in: 1...3, using: &generator)
      case growth..<(growth + 20):
        let taken = line.popFirst()
        let expected = model.isEmpty ? nil : model.removeFirst()
        #expect(taken?.ticket == expected?.ticket && taken?.element == expected?.element, "seed \(seed)")
      default:
        let ticket = UInt64.random(in: 0...next, using: &generator)
        let index = model.firstIndex { $0.ticket == ticket }
        let expected = index.map { model.remove(at: $0).element }
        let removed = line.remove(ticket: ticket)
        #expect(removed == expected, "seed \(seed)")
      }
      #expect(line.count == model.count, "seed \(seed)")
      #expect(line.first == model.first?.element, "seed \(seed)")
    }
  }

  @Test func leavingTwiceFindsNothing() {
    var line = WriteQueueLine<Int>()
    for ticket in 0..<10 { line.append(ticket, ticket: UInt64(ticket)) }
    #expect(line.remove(ticket: 4) == 4)
    #expect(line.remove(ticket: 4) == nil)
    #expect(line.remove(ticket: 10) == nil)
    #expect(line.popFirst()?.element == 0)
    #expect(line.remove(ticket: 0) == nil)
    #expect(line.count == 8)
  }
}
