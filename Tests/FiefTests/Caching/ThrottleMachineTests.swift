import TestEffort
import Testing

@testable import Fief

/// The window of throttles by itself.
@Suite struct ThrottleMachineTests {
  /// However calls come and leave: they begin in their order, as soon as they may, and never too many in a window.
  @Test func theMachineKeepsItsWindow() {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<TestEffort.count(4, more: 20) {
      let maximum = Int.random(in: 1...5, using: &random)
      let window = Duration.milliseconds(Int.random(in: 1...50, using: &random))
      var machine = ThrottleMachine(maximum: maximum, window: window)
      var now = Duration.zero
      var begun: [Duration] = []
      var line: [UInt64] = []
      var last: UInt64 = 0
      for step in 0..<3_000 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let hasRoom = line.isEmpty && begun.filter { $0 + window > now }.count < maximum
          #expect(machine.begin(at: now) == hasRoom, "seed \(seed), step \(step)")
          if hasRoom {
            begun.append(now)
          } else {
            last += 1
            machine.wait(last)
            line.append(last)
          }
        case 2:
          guard let call = line.randomElement(using: &random) else { continue }
          #expect(machine.leave(call) && !machine.leave(call), "seed \(seed), step \(step)")
          line.removeAll { $0 == call }
        case 3:
          // The time that a refused call is told is exact where no other comes.
          guard begun.filter({ $0 + window > now }).count >= maximum || !line.isEmpty else { continue }
          var copy = machine
          let wait = copy.retryAfter(at: now)
          var time = now
          while let next = copy.next, next < now + wait {
            time = max(time, next)
            _ = copy.beginWaiting(at: time)
          }
          var early = copy
          _ = copy.beginWaiting(at: now + wait)
          #expect(copy.begin(at: now + wait) == true, "seed \(seed), step \(step)")
          _ = early.beginWaiting(at: now + wait - .nanoseconds(1))
          #expect(
            wait == .zero || !early.begin(at: now + wait - .nanoseconds(1)),
            "seed \(seed), step \(step)"
          )
        default: now += .microseconds(Int.random(in: 0...20_000, using: &random))
        }
        // The shell wakes at `next`.
        while let next = machine.next, next <= now {
          let calls = machine.beginWaiting(at: now)
          #expect(!calls.isEmpty && calls == Array(line.prefix(calls.count)), "seed \(seed), step \(step)")
          if calls.isEmpty { return }
          line.removeFirst(calls.count)
          begun += calls.map { _ in now }
        }
        #expect(machine.waitingCount == line.count, "seed \(seed), step \(step)")
      }
      for index in begun.indices.dropFirst(maximum) {
        #expect(begun[index] - begun[index - maximum] >= window, "seed \(seed)")
      }
    }
  }
}
