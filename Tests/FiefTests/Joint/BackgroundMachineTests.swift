import Fief
import TestEffort
import Testing

@testable import FiefCore

/// Works that may block, in lines, by themselves.
@Suite struct BackgroundMachineTests {
  /// However works come, end and are cancelled: those of a lane run one at a time and in their order, there are never too many
  /// threads, and none is missing.
  @Test func worksRunInLinesOnFewThreads() {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<TestEffort.count(4, more: 40) {
      let most = Int.random(in: 1...4, using: &random)
      let lanes = Int.random(in: 1...8, using: &random)
      var machine = BackgroundMachine<Int>(mostThreads: most)
      var waiting: [Int: [UInt64]] = [:]
      var running: [Int: UInt64] = [:]
      var starting = 0
      func take(_ next: (work: UInt64, lane: Int)?) {
        guard let next else { return }
        #expect(running[next.lane] == nil && waiting[next.lane]?.first == next.work, "seed \(seed)")
        waiting[next.lane]?.removeFirst()
        running[next.lane] = next.work
      }
      for step in 0..<2_000 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
          let lane = Int.random(in: 0..<lanes, using: &random)
          let (work, startsThread) = machine.add(to: lane)
          waiting[lane, default: []].append(work)
          if startsThread { starting += 1 }
        case 3:
          guard
            let (lane, work) = waiting.flatMap({ pair in pair.value.map { (pair.key, $0) } })
              .min(by: { $0.1 < $1.1 })
          else { continue }
          #expect(machine.cancel(work) && !machine.cancel(work))
          waiting[lane]?.removeAll { $0 == work }
        case 4, 5:
          guard starting > 0 else { continue }
          starting -= 1
          take(machine.next(after: nil))
        default:
          guard let lane = running.keys.sorted().randomElement(using: &random) else { continue }
          if let work = running.removeValue(forKey: lane) { #expect(machine.cancel(work) == false) }
          take(machine.next(after: lane))
        }
        #expect(
          machine.threads == running.count + starting && machine.threads <= most,
          "seed \(seed), \(step)"
        )
        #expect(machine.waitingCount == waiting.values.reduce(0) { $0 + $1.count }, "seed \(seed), \(step)")
        let free = waiting.filter { !$0.value.isEmpty && running[$0.key] == nil }.count
        #expect(starting >= free || machine.threads == most, "seed \(seed), \(step)")
      }
    }
  }

  @Test func worksFailWhereNoThreadIsLeft() {
    var machine = BackgroundMachine<Int>(mostThreads: 2)
    let starts = [1, 1, 2].map { machine.add(to: $0).startsThread }
    #expect(starts == [true, false, true])
    #expect(machine.next(after: nil)?.work == 1)
    // The thread that there is runs the others.
    #expect(machine.startFailed() == [])
    #expect(machine.next(after: 1)?.work == 3)
    #expect(machine.next(after: 2)?.work == 2)
    #expect(machine.next(after: 1) == nil && machine.threads == 0)
    #expect(machine.add(to: 1).startsThread)
    #expect(machine.startFailed() == [4] && machine.waitingCount == 0)
    #expect(machine.add(to: 1).startsThread)
  }
}
