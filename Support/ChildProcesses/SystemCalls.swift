import Foundation

// Functions of the system whose names the types here have for their own.

func systemKill(_ id: pid_t, _ signal: Int32) -> Int32 { kill(id, signal) }

@discardableResult
func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }

#if !os(Linux)
  func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
#endif

// SAFETY: the calls use no more than the count of the buffer.
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// The milliseconds until a deadline, rounded up, as `poll` takes them; -1 without one.
func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
  guard let deadline else { return -1 }
  return Int32(max(0, min(((deadline - .now) / .milliseconds(1)).rounded(.up), 1e9)))
}
