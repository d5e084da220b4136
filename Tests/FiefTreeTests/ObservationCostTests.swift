import Fief
import FiefTesting
import FiefTreeTestKit
import Testing

@testable import FiefCore
@testable import FiefTree

/// The cost of observations: evaluations for each commit, and memory.
struct ObservationCostTests {
  @Test func aCommitEvaluatesOnlyWhatItConcerns() throws {
    let chat = try TreeFixture()
    let tokens = try (0..<1000).map { number in
      try chat.tree.reference("far/\(number)").observe([.value, .children]) { _ in }
    }
    let (events, token) = try chat.observe("near")
    let hub = try chat.store.store().core().hub
    func evaluations(_ change: () throws -> Void) throws -> Int {
      let before = hub.evaluations
      try change()
      try chat.deliver()
      return hub.evaluations - before
    }
    #expect(try evaluations { try chat.set("elsewhere", 1) } == 0)
    #expect(try evaluations { try chat.set("near/a", 1) } == 1)
    #expect(try evaluations { try chat.set("far/7", 1) } == 1)
    #expect(try evaluations { try chat.set("far", ["7": 2]) } == 1000)
    #expect(events.take().count == 2)
    withExtendedLifetime((tokens, token)) {}
  }

  /// An observation keeps at most 64 bytes in place of a value, and 128 bytes and the name for each child.
  @Test func anObservationKeepsNoValues() throws {
    #expect(MemoryLayout<ObservedNode>.size <= 64)
    // An array may have twice the capacity that it needs.
    #expect(2 * MemoryLayout<ObservedNode.Child>.stride <= 128)
  }
}
