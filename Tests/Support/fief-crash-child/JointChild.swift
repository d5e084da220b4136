import Fief
import FiefStress
import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that write to several stores together.
enum JointChild {
  /// Writes once, and is killed at a step, counted from 1; or to its end.
  static func once(_ directory: String, killedAt step: UInt64) {
    let joint = StressJoint(directory: directory)
    killing(at: step) {
      do {
        try joint.transfer(1, size: 3_000)
        Child.say("done 1\n")
      } catch {
        Child.say("error \(error)\n")
      }
    }
    joint.close()
    Child.say("end 1\n")
  }

  /// Opens stores one after the other, and is killed at a step of what is completed then.
  static func open(_ directory: String, _ order: [Int], killedAt step: UInt64) {
    let joint = StressJoint(directory: directory)
    killing(at: step) {
      for index in order { _ = joint.repositories[index].store() }
    }
    joint.close()
    Child.say("end 1\n")
  }

  /// Writes again and again, and says after each time how far it is.
  static func loop(_ directory: String, count: UInt64) {
    let joint = StressJoint(directory: directory)
    for round in 0..<Int(count) {
      do {
        try joint.transfer(round)
        Child.say("round \(round)\n")
      } catch {
        Child.say("error \(error)\n")
        exit(1)
      }
    }
    joint.close()
    Child.say("end 1\n")
  }

  private static func killing(at step: UInt64, _ body: () -> Void) {
    let reports = OwnedLock<UInt64>(0)
    let observer: @Sendable (String) -> Void = { name in
      let count = reports.withLock { count in
        count += 1
        return count
      }
      guard count == step else { return }
      Child.say("killed \(name)\n")
      kill(getpid(), SIGKILL)
    }
    JointSteps.$observer.withValue(observer, operation: body)
  }
}
