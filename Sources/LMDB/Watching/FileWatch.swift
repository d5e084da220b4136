#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reports writes to a file, its deletion and its renaming.
///
/// Closing a descriptor of `lock.mdb` would release LMDB's locks, so no descriptor of that file is opened.
/// inotify takes a path. kqueue requires a descriptor of the file; a descriptor of `data.mdb` is safe,
/// because all of LMDB's locks are on `lock.mdb`.
struct FileWatch {
  /// The descriptor becomes readable when an event occurs.
  let descriptor: Int32

  #if os(Linux)
    /// Returns `nil` if the system has no resources for another watch.
    init?(_ file: String) {
      let made = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      guard made >= 0 else { return nil }
      // `IN_DELETE_SELF` arrives only when no process has the file open; `IN_ATTRIB` arrives when the file
      // loses its name.
      let fates = UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
      guard inotify_add_watch(made, file, UInt32(IN_MODIFY) | fates) >= 0 else {
        systemClose(made)
        return nil
      }
      descriptor = made
      // The watch of the directory reports when the directory is moved or removed. If it cannot be made, the
      // watch of the file reports a removal.
      let directory = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
      _ = inotify_add_watch(made, directory, UInt32(IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR))
    }

    /// Consumes the pending events, so that the descriptor reports the next ones.
    func drain() {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        // SAFETY: the system writes at most `buffer.count` bytes into the buffer.
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }

    func close() { systemClose(descriptor) }
  #else
    private let file: Int32

    /// Returns `nil` if the system has no descriptor left.
    init?(_ path: String) {
      let made = kqueue()
      guard made >= 0 else { return nil }
      _ = fcntl(made, F_SETFD, FD_CLOEXEC)
      let opened = systemOpen(path, O_EVTONLY | O_CLOEXEC)
      guard opened >= 0 else {
        systemClose(made)
        return nil
      }
      let fates = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_LINK | NOTE_DELETE | NOTE_RENAME)
      var change = kevent()
      change.ident = UInt(opened)
      change.filter = Int16(EVFILT_VNODE)
      change.flags = UInt16(EV_ADD | EV_CLEAR)
      change.fflags = fates
      guard kevent(made, &change, 1, nil, 0, nil) == 0 else {
        systemClose(opened)
        systemClose(made)
        return nil
      }
      descriptor = made
      file = opened
    }

    /// Consumes the pending events, so that the descriptor reports the next ones.
    func drain() {
      var event = kevent()
      var none = timespec()
      while kevent(descriptor, nil, 0, &event, 1, &none) > 0 {}
    }

    func close() {
      systemClose(file)
      systemClose(descriptor)
    }
  #endif
}
