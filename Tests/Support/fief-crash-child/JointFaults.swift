import Fief
import FiefStress
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process whose device fails in the middle of a write to several stores.
enum JointFaults {
  /// Writes to three stores, with a decision of which the device does not say whether it was made.
  ///
  /// It writes the errors of the write and of the writes after it while the device fails, and the content of
  /// the stores when it has recovered.
  static func decide(_ directory: String, _ fault: fault, isRelaxed: Bool) {
    var repositories = StressJoint(directory: directory).repositories
    if isRelaxed {
      for index in repositories.indices { repositories[index].storeOptions.durability = .relaxed }
    }
    let joint = StressJoint(repositories)
    do { try joint.transfer(0) } catch { Child.say("error \(error)\n") }
    let observer: @Sendable (String) -> Void = { step in
      if step == "commit(0)" { faults_arm(fault) }
    }
    JointSteps.$observer.withValue(observer) { Child.say("write \(code { try joint.transfer(1) })\n") }
    for repository in joint.repositories {
      Child.say("blocked \(code { _ = try repository.write { _ = try $0.create(StressTransfer.self) } })\n")
    }
    faults_arm(FAULT_NONE)
    for repository in joint.repositories.reversed() {
      Child.say("next \(code { _ = try repository.write { _ = try $0.create(StressTransfer.self) } })\n")
    }
    joint.close()
    do {
      for repository in joint.repositories { Child.say("rounds \(try joint.rounds(repository))\n") }
      Child.say("problems \(try joint.problems())\n")
    } catch { Child.say("error \(error)\n") }
    joint.close()
    Child.say("end 1\n")
  }

  private static func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch {
      return (error as? FiefError)?.code.rawValue ?? "\(error)"
    }
  }
}
