import Fief
import TestEffort
import Testing

@testable import FiefOperations

/// The window of throttles by itself.
@Suite struct ThrottleMachineTests {
  /// A machine with what a shell knows: the calls that wait and those that have a place, and the alarm.
  private struct Shell {
    var machine: ThrottleMachine
    var line: [UInt64] = []
    var placed: [UInt64] = []
    var begun: [Duration] = []
    var alarm: Duration?

    /// - Returns: whether the calls that got a place were the first of the line.
    mutating func carryOut(_ actions: [ThrottleMachine.Action], at now: Duration) -> Bool {
      for action in actions {
        switch action {
        case .resume(let call):
          guard line.first == call else { return false }
          placed.append(line.removeFirst())
        case .startAlarm:
          guard alarm == nil else { return false }
          alarm = now
        }
      }
      return true
    }

    mutating func runAlarm(at now: Duration) -> Bool {
      while let time = alarm, time <= now {
        let (actions, next) = machine.wake(at: now)
        guard carryOut(actions, at: now), next.map({ $0 > now }) != false else { return false }
        alarm = next
      }
      return true
    }

    func hasRoom(at now: Duration) -> Bool {
      begun.filter { $0 + machine.window > now }.count + placed.count < machine.maximum
    }
  }

  /// However calls come, leave, and are kept from beginning: they get places in their order, as soon as they may, and never too
  /// many begin in a window.
  @Test func theMachineKeepsItsWindow() {
    let seed = UInt64.random(in: 0..<1 << 40)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<TestEffort.count(3, more: 20) {
      let maximum = Int.random(in: 1...5, using: &random)
      let window = Duration.milliseconds(Int.random(in: 1...50, using: &random))
      var shell = Shell(machine: ThrottleMachine(maximum: maximum, window: window))
      var now = Duration.zero
      var last: UInt64 = 0
      for step in 0..<TestEffort.count(1_200, more: 3_000) {
        var isRight = true
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          last += 1
          let hasRoom = shell.line.isEmpty && shell.hasRoom(at: now)
          #expect(shell.machine.enter(at: now) == hasRoom, "seed \(seed), step \(step)")
          if hasRoom {
            shell.placed.append(last)
          } else {
            shell.line.append(last)
            isRight = shell.carryOut(shell.machine.wait(last, at: now), at: now)
          }
        case 2:
          guard let call = shell.line.randomElement(using: &random) else { continue }
          #expect(shell.machine.leave(call) && !shell.machine.leave(call), "seed \(seed), step \(step)")
          shell.line.removeAll { $0 == call }
        case 3, 4, 5:
          // Whichever executor is free first.
          guard let index = shell.placed.indices.randomElement(using: &random) else { continue }
          shell.placed.remove(at: index)
          shell.begun.append(now)
          isRight = shell.carryOut(shell.machine.begin(at: now), at: now)
        case 6:
          guard let index = shell.placed.indices.randomElement(using: &random) else { continue }
          shell.placed.remove(at: index)
          isRight = shell.carryOut(shell.machine.giveBack(at: now), at: now)
        default: now += .microseconds(Int.random(in: 0...20_000, using: &random))
        }
        isRight = isRight && shell.runAlarm(at: now)
        #expect(isRight && shell.machine.waitingCount == shell.line.count, "seed \(seed), step \(step)")
        // No call waits while there is room, and as long as one waits something is going to wake it.
        #expect(shell.line.isEmpty || !shell.hasRoom(at: now), "seed \(seed), step \(step)")
        #expect(
          shell.line.isEmpty || shell.alarm != nil || !shell.placed.isEmpty,
          "seed \(seed), step \(step)"
        )
        if !isRight { return }
        checkRetry(shell, at: now, "seed \(seed), step \(step)")
      }
      for index in shell.begun.indices.dropFirst(maximum) {
        #expect(shell.begun[index] - shell.begun[index - maximum] >= window, "seed \(seed)")
      }
    }
  }

  /// The time that a refused call is told is exact if all calls begin as soon as they have a place, and no other comes.
  private func checkRetry(_ shell: Shell, at now: Duration, _ comment: Comment) {
    guard !shell.hasRoom(at: now) else { return }
    var machine = shell.machine
    let wait = machine.retryAfter(at: now)
    #expect(wait > .zero, comment)
    var shell = shell
    var placed = shell.placed.count
    var time = now
    while true {
      while placed > 0 {
        placed -= 1
        shell.placed = []
        guard shell.carryOut(shell.machine.begin(at: time), at: time) else { break }
        placed += shell.placed.count
      }
      guard let next = shell.alarm, next < now + wait else { break }
      time = max(time, next)
      shell.placed = []
      guard shell.runAlarm(at: time) else { break }
      placed = shell.placed.count
    }
    var early = shell.machine
    #expect(early.enter(at: now + wait - .nanoseconds(1)) == false, comment)
    shell.placed = []
    _ = shell.runAlarm(at: now + wait)
    for _ in shell.placed { _ = shell.machine.begin(at: now + wait) }
    #expect(shell.machine.enter(at: now + wait) == true, comment)
  }

  @Test func aCallThatBeginsLateCountsFromItsBegin() {
    var machine = ThrottleMachine(maximum: 2, window: .seconds(1))
    #expect(machine.enter(at: .zero) && machine.enter(at: .zero) && !machine.enter(at: .seconds(5)))
    #expect(machine.wait(1, at: .seconds(5)) == [])
    #expect(machine.wait(2, at: .seconds(5)) == [])
    #expect(machine.begin(at: .seconds(6)) == [.startAlarm])
    #expect(machine.wake(at: .seconds(6)).next == .seconds(7))
    // One that does not begin has taken no room.
    #expect(machine.giveBack(at: .seconds(6)) == [.resume(1)])
    let (actions, next) = machine.wake(at: .seconds(7))
    #expect(actions == [.resume(2)] && next == nil)
  }
}
