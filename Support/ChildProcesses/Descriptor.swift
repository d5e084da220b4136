import Foundation

#if os(Linux)
  import CChildProcesses
#endif

/// An open descriptor that programs started by others do not inherit. It is closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32

  /// Moves a descriptor that got a number from 0 to 2. The system assigns these numbers if this process has closed a standard
  /// stream, and setting up the child's standard streams would overwrite the descriptor.
  private init(_ number: Int32, of program: String) throws(ChildProcessError) {
    guard (0...2).contains(number) else {
      self.number = number
      if number < 0 { throw ChildProcessError(.noStream, program, errno) }
      return
    }
    self.number = fcntl(number, F_DUPFD_CLOEXEC, 3)
    let code = errno
    systemClose(number)
    if self.number < 0 { throw ChildProcessError(.noStream, program, code) }
  }

  deinit { if number >= 0 { systemClose(number) } }

  static func open(_ path: String, _ flags: Int32, of program: String) throws(ChildProcessError) -> Descriptor
  {
    try Descriptor(systemOpen(path, flags | O_CLOEXEC), of: program)
  }

  static func pipe(of program: String) throws(ChildProcessError) -> (reading: Descriptor, writing: Descriptor)
  {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
      let code = pipe2(&ends, O_CLOEXEC)
    #else
      let code = systemPipe(&ends)
      for end in ends where code == 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    guard code == 0 else { throw ChildProcessError(.noStream, program, errno) }
    let reading: Descriptor
    do { reading = try Descriptor(ends[0], of: program) } catch {
      systemClose(ends[1])
      throw error
    }
    return (reading, try Descriptor(ends[1], of: program))
  }
}
