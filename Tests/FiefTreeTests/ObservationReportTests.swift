import Fief
import FiefTesting
import FiefTreeTestKit
import Testing

@testable import FiefTree

/// The state machine of deliveries by itself: the steps between two states, slow deliveries and silent writes.
struct ObservationReportTests {
  /// Creates a state from the names, values and orders of children.
  private func node(_ children: [(name: String, value: Int, order: Int?)], value: Int? = nil) -> ObservedNode
  {
    ObservedNode(
      children: children.map { name, value, order in
        ObservedNode.Child(
          name: ExactText(name),
          value: ValueHash(.int(Int64(value))),
          order: order.map { ValueHash(.int(Int64($0))) }
        )
      },
      value: value.map { ValueHash(.int(Int64($0))) }
    )
  }

  /// Creates a state whose children are ordered by their values.
  private func byValue(_ values: KeyValuePairs<String, Int>) -> ObservedNode {
    node(
      values.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value, $0.value) },
      value: values.reduce(0) { ($0 &* 31 &+ $1.value) &* 31 &+ $1.key.hashValue }
    )
  }

  private func text(_ steps: [ObservedStep]) -> [String] {
    steps.map { step in
      switch step {
      case .removed(let name): "- \(name.text)"
      case .added(let name, let after): "+ \(name.text) after \(after?.text ?? "nil")"
      case .moved(let name, let after): "> \(name.text) after \(after?.text ?? "nil")"
      case .changed(let name, let after): "~ \(name.text) after \(after?.text ?? "nil")"
      case .value: "value"
      }
    }
  }

  @Test func theFirstDeliveryAddsAllChildrenAndHasTheValue() {
    var report = ObservationReport()
    // The place is empty, and the first delivery says so.
    #expect(report.isDue)
    report.advance(to: node([], value: 0))
    #expect(report.isDue && text(report.take()) == ["value"])
    #expect(!report.isDue && report.take().isEmpty)
    var other = ObservationReport()
    other.advance(to: node([("a", 1, nil), ("b", 1, nil)]))
    #expect(text(other.take()) == ["+ a after nil", "+ b after a"])
    // An observation of children of an empty place has nothing to report, once.
    var empty = ObservationReport()
    empty.advance(to: node([]))
    #expect(empty.isDue && empty.take().isEmpty && !empty.isDue)
  }

  @Test func stepsAreInTheOrderOfTheSpecification() {
    var report = ObservationReport()
    report.advance(to: byValue(["a": 1, "b": 2, "c": 3]))
    _ = report.take()
    report.advance(to: byValue(["b": 9, "c": 3, "d": 0]))
    #expect(text(report.take()) == ["- a", "+ d after nil", "> b after c", "~ b after c", "value"])
  }

  @Test func aSlowDeliveryHasTheNetDifference() {
    var report = ObservationReport()
    report.advance(to: byValue(["a": 1, "b": 2]))
    _ = report.take()
    report.advance(to: byValue(["a": 1, "b": 2, "c": 3]))
    report.advance(to: byValue(["b": 5, "c": 3]))
    report.advance(to: byValue(["b": 2, "d": 7]))
    // The child c came and went, and b is as it was.
    #expect(text(report.take()) == ["- a", "+ d after b", "value"])
    report.advance(to: byValue(["b": 3, "d": 7]))
    #expect(report.isDue)
    report.advance(to: byValue(["b": 2, "d": 7]))
    #expect(!report.isDue && report.take().isEmpty)
  }

  @Test func namesAreTheSameOnlyIfTheirBytesAre() {
    var report = ObservationReport()
    report.advance(to: node([("\u{E9}", 1, nil)]))
    _ = report.take()
    report.advance(to: node([("e\u{301}", 1, nil)]))
    #expect(report.isDue)
    let steps = report.take()
    #expect(steps == [.removed(ExactText("\u{E9}")), .added(ExactText("e\u{301}"), after: nil)])
  }

  @Test func silentChangesAreNotReportedButEarlierOnesAre() {
    var report = ObservationReport()
    report.advance(to: byValue(["a": 1, "b": 2]))
    _ = report.take()
    report.advanceSilently(to: byValue(["a": 1, "b": 2, "c": 3]))
    #expect(!report.isDue)
    // Another write changes a, and then a silent one removes b and adds d.
    report.advance(to: byValue(["a": 9, "b": 2, "c": 3]))
    report.advanceSilently(to: byValue(["a": 9, "c": 3, "d": 0]))
    #expect(text(report.take()) == ["> a after c", "~ a after c", "value"])
    // A rollback restores the pending changes.
    report.advance(to: byValue(["a": 9, "c": 4, "d": 0]))
    report.advanceSilently(to: byValue(["x": 1]))
    report.undo()
    report.advance(to: byValue(["a": 9, "c": 4, "d": 0]))
    #expect(text(report.take()) == ["> c after d", "~ c after d", "value"])
    // A write that fails leaves an earlier silent commit unreported.
    report.advanceSilently(to: byValue(["a": 9, "c": 4]))
    report.settle()
    report.undo()
    #expect(!report.isDue)
    // Silent writes before the first delivery are part of the first state.
    var first = ObservationReport()
    first.advance(to: byValue(["a": 1]))
    first.advanceSilently(to: byValue(["b": 1]))
    #expect(text(first.take()) == ["+ b after nil", "value"])
  }

  /// A copy that replays the steps equals the last state, however many states a delivery covers.
  @Test(arguments: 1...50 as ClosedRange<UInt64>) func replayedStepsGiveTheState(_ seed: UInt64) {
    var random = SeededRandom(state: seed)
    var report = ObservationReport()
    var copy: [String] = []
    var values: [String: ObservedNode.Child] = [:]
    for _ in 0..<40 {
      var children: [(name: String, value: Int, order: Int?)] = []
      for name in ["a", "b", "c", "d", "e", "f"] where Bool.random(using: &random) {
        let order = Int.random(in: 0..<3, using: &random)
        children.append((name, 10 * order + Int.random(in: 0..<2, using: &random), order))
      }
      children.sort { ($0.order ?? 0, $0.name) < ($1.order ?? 0, $1.name) }
      report.advance(to: node(children))
      if Int.random(in: 0..<3, using: &random) == 0 { continue }
      let newest = report.newest
      let byName = Dictionary(uniqueKeysWithValues: newest.children.map { ($0.name.text, $0) })
      let old = copy
      for step in report.take() {
        switch step {
        case .removed(let name):
          copy.removeAll { $0 == name.text }
          values[name.text] = nil
        case .added(let name, let after), .moved(let name, let after):
          copy.removeAll { $0 == name.text }
          values[name.text] = byName[name.text]
          let index = after.flatMap { after in copy.firstIndex { $0 == after.text } }
          copy.insert(name.text, at: index.map { $0 + 1 } ?? 0)
        case .changed(let name, _):
          #expect(old.contains(name.text), "seed \(seed)")
          values[name.text] = byName[name.text]
        case .value: Issue.record("no value is followed")
        }
      }
      #expect(values == byName, "seed \(seed)")
      #expect(Set(copy) == Set(newest.children.map(\.name.text)), "seed \(seed)")
    }
  }

  @Test func hashesOfDifferentValuesDiffer() {
    let values: [JSON] = [
      .null, false, true, 0, 1, -1, 0.0, -0.0, 1.0, .double(.leastNonzeroMagnitude), "", "0", "a", "ab",
      "\u{E9}", "e\u{301}", [],
      [nil],
      [0], [[]], [:], ["a": "b"], ["ab": ""], ["a": ["b": 1]], ["a": 1, "b": 1], ["a": ["a": 1]],
    ]
    let hashes = Set(values.map { ValueHash($0) })
    #expect(hashes.count == values.count)
    for value in values { #expect(hashes.contains(ValueHash(value))) }
  }
}
