import FiefModel
import FiefTorture
import Foundation

/// Calls of this process that fail at random, by the preloaded library.
final class StepFaults: GraphFaults {
  private typealias Fail = @convention(c) (CInt, CInt, CInt, CLong) -> Void
  private typealias Stop = @convention(c) () -> UnsafePointer<CChar>?

  private var random: TortureRandom
  private let isLying: Bool
  private let fail: Fail
  private let stop: Stop
  private(set) var hasFailed = false

  /// - Parameter isLying: whether calls report success in place of an error, and write nothing.
  init(_ random: TortureRandom, isLying: Bool) throws {
    guard let fail = dlsym(nil, "torture_fail"), let stop = dlsym(nil, "torture_stop") else {
      throw BrokenTest("failing_calls is not preloaded; Torture/run does it")
    }
    // SAFETY: the functions are those of failing_calls.c, with these parameters.
    self.fail = unsafeBitCast(fail, to: Fail.self)
    self.stop = unsafeBitCast(stop, to: Stop.self)
    self.random = random
    self.isLying = isLying
  }

  func begin() -> GraphFaultPlan? {
    guard random.chance(6) else { return nil }
    let error = random.pick(CallFault.errors)
    let isForEver = random.chance(2) && error.code != EINTR
    let call = 1 + random.next(random.pick([4, 12, 60]))
    let plan = GraphFaultPlan(
      closesBefore: random.chance(5),
      closesAfter: random.chance(2),
      description: "\(isLying ? "lies" : error.name) \(isForEver ? "from" : "at") call \(call)"
    )
    fail(error.code, isForEver ? 1 : 0, isLying ? 1 : 0, call)
    return plan
  }

  func end() -> String? {
    // SAFETY: the name is a literal of the library.
    guard let name = stop() else { return nil }
    hasFailed = true
    return String(cString: name)
  }
}
