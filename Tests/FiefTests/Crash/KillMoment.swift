import FiefStress

/// The time after which a process is killed, so that about every second one is done before.
///
/// It follows the kills, and so the speed of the machine, which changes with what other processes do.
struct KillMoment {
  private var limit: Double

  /// - Parameter microseconds: the time that the work is thought to take.
  init(microseconds: Int) { limit = Double(microseconds) * 2 }

  /// The time to let the next process work, in microseconds.
  func next(_ random: inout StressRandom) -> Int { random.next(Int(limit)) }

  /// Takes note of a kill.
  ///
  /// - Parameter wasDone: whether it came too late.
  mutating func note(wasDone: Bool) {
    limit = min(max(limit * (wasDone ? 0.5 : 2), 100), 600_000_000)
  }
}
