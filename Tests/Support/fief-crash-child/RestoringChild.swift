import Fief
import FiefMaintenance
import FiefStress
import LMDBFaults

/// A process that restores a store on a disk that fails.
enum RestoringChild {
  /// Restores a backup of one account over a store with two, where the store's directory cannot be synchronised.
  static func run(_ directory: String) {
    let repository = StressJointRepository("first", directory: directory)
    func add(_ id: Int) throws {
      try repository.write { _ = try $0.create(StressAccount.self, value: ["id": id, "balance": 0]) }
    }
    do {
      try add(1)
      try repository.backup(to: directory + "/backup")
      try add(2)
      repository.close()
    } catch { return Child.say("failed \(error)\n") }
    faults_arm(FAULT_DIRECTORY)
    do {
      _ = try StoreMaintenance(repository).restore(from: directory + "/backup", keep: 3)
      Child.say("restored\n")
    } catch {
      Child.say("error \((error as? FiefError)?.code.rawValue ?? "\(error)")\n")
      for detail in (error as? FiefError)?.details ?? [] { Child.say("detail \(detail)\n") }
    }
    faults_arm(FAULT_NONE)
    Child.say("accounts \((try? repository.count(StressAccount.self)) ?? -1)\n")
    repository.close()
  }
}
