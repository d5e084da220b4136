import Fief
import FiefStress
import LMDB
import LMDBFaults

/// A process that has loaded a library of LMDB's next generation.
enum NewerLibraryChild {
  /// Says what each way to make a store meets.
  ///
  /// - Parameter directory: one that does not exist.
  static func run(_ directory: String) {
    faults_version(1, 0, 0)
    say("disk") { _ = try StressJointRepository("first", directory: directory).open() }
    say("memory") { _ = try StressJointRepository("first", identifier: directory).open() }
    say("tool") { _ = try DynamicStore(directory: directory + "/first") }
    say("layer") {
      do throws(LMDBError) {
        _ = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
      } catch {
        throw FiefError(error)
      }
    }
    faults_version(0, 9, 99)
    say("development") { _ = try StressJointRepository("first", directory: directory).open() }
  }

  private static func say(_ name: String, _ body: () throws -> Void) {
    var outcome = "none"
    do { try body() } catch {
      let error = error as? FiefError
      outcome = "\(error?.code.rawValue ?? "another") \(error?.details.joined() ?? "")"
    }
    Child.say("\(name) \(outcome)\n")
  }
}
