import Fief
import FiefStress

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that open and close a store, or compact it, beside each other.
enum ExchangingChild {
  /// Has the store open until it is killed.
  static func hold(_ directory: String, isReading: Bool = false) {
    let repository = StressJointRepository("first", directory: directory)
    if let error = repository.store().openingError { return Child.say("error \(error)\n") }
    Child.say("open 1\n")
    guard isReading else { while true { sleep(60) } }
    do {
      try repository.read { _ in
        Child.say("reading 1\n")
        while true { sleep(60) }
      }
    } catch { Child.say("error \(error)\n") }
  }

  /// Begins a write that does not end.
  static func holdWrite(_ directory: String) {
    let store = StressJointRepository("first", directory: directory).store()
    do { try store.beginHeldWrite() } catch { return Child.say("error \(error)\n") }
    store.create(StressAccount.self, value: ["id": 1])
    Child.say("begun 1\n")
    while true { sleep(60) }
  }

  /// Opens the store, adds an account and closes it, again and again for so many milliseconds.
  static func comeAndGo(_ directory: String, _ number: UInt64, _ milliseconds: Int) {
    let repository = StressJointRepository("first", directory: directory)
    var id = Int(number) * 1_000_000
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {
      id += 1
      do {
        try repository.write { try $0.create(StressAccount.self, value: ["id": id, "balance": 1]) }
        Child.say("saved \(id)\n")
      } catch {
        Child.say("error \(error)\n")
      }
      repository.close()
    }
    Child.say("end 1\n")
  }

  /// Compacts the store again and again; that others have it open is no error.
  static func compact(_ directory: String, _ milliseconds: Int) {
    let repository = StressJointRepository("first", directory: directory)
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {
      do {
        try repository.compact()
        Child.say("compacted 1\n")
      } catch let error as FiefError where error.code == .storeInUse {
        // The next time.
      } catch {
        Child.say("error \(error)\n")
      }
      repository.close()
    }
    Child.say("end 1\n")
  }
}
