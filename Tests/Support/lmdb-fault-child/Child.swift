import LMDB
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process of a test's own, for what would end or endanger the process of the tests: it is killed,
/// forks, damages files, or has system calls that fail. It prints what it sees, a line each.
@main
struct Child {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { exit(64) }
    let scenario = Scenario(directory: arguments[2], arguments: Array(arguments.dropFirst(3)))
    do {
      switch arguments[1] {
      case "hold-reader": try scenario.holdReader()
      case "hold-slots": try scenario.holdSlots()
      case "read-only": try scenario.readOnly()
      case "read-only-directory": try scenario.readOnlyDirectory()
      case "write-forever": try scenario.writeForever()
      case "commit": try scenario.commit()
      case "grow": try scenario.grow()
      case "grown-meanwhile": try scenario.readGrownMeanwhile()
      case "open-once": try scenario.openOnce()
      case "hold-number": try scenario.holdNumber()
      case "create-database": try scenario.createDatabase()
      case "fork": try scenario.fork()
      case "sync-fails": try scenario.failingWrite(FAULT_SYNC)
      case "sync-fails-inside": try scenario.failingInside()
      case "meta-fails": try scenario.failingWrite(FAULT_META)
      case "meta-fails-last": try scenario.failingLastWrite()
      case "meta-fails-done": try scenario.failingWrite(FAULT_META_DONE)
      case "meta-fails-done-unsynced": try scenario.failingSynchronisation(FAULT_META_DONE_DEVICE)
      case "meta-fails-unsynced": try scenario.failingSynchronisation(FAULT_META_DEVICE)
      case "meta-fails-done-once": try scenario.failingOnce(FAULT_META_DONE)
      case "sync-fails-once": try scenario.failingOnce(FAULT_SYNC)
      case "rewrite-unopened": try scenario.rewriteUnopened()
      case "compact-unsynchronised": try scenario.compactUnsynchronised()
      case "swap-unsynchronised": try scenario.swapUnsynchronised()
      case "device-fails": try scenario.failingDevice()
      case "remote": try scenario.remote()
      case "no-address-space": try scenario.noAddressSpace()
      case "sealed-counted": try scenario.sealedCounted()
      case "sealed-crowded": try scenario.sealedCrowded()
      case "sealed-outgrown": try scenario.sealedOutgrown()
      case "refused-growth": try scenario.refusedGrowth(isLost: false)
      case "lost-growth": try scenario.refusedGrowth(isLost: true)
      case "member": try scenario.asMember()
      case "limited-files": try scenario.limitedFiles()
      case "no-descriptors": try scenario.noDescriptors()
      case "make-duplicates": say("made \(faults_make_duplicates(arguments[2]))")
      case "flips": try Damage(directory: arguments[2], arguments: scenario.arguments).run()
      default: exit(64)
      }
    } catch {
      say("error \(error)")
      exit(1)
    }
  }
}

func say(_ line: String) {
  print(line)
  fflush(nil)
}

func withBytes<R>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
  try Array(text.utf8).withUnsafeBytes(body)
}

/// The code of the error that `body` throws, or `none`.
func code(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "none"
  } catch {
    return (error as? LMDBError)?.code.rawValue ?? "\(error)"
  }
}

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
