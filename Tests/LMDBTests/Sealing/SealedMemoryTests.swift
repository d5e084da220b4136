import LMDB
import Testing

/// Opened pages where the system or the process has little memory.
@Suite struct SealedMemoryTests {
  let scratch = Scratch()

  private func run(_ mode: String) throws -> [String] {
    let child = try Child(mode, scratch["store"])
    let lines = child.finish()
    #expect(child.end == .exited(0), "\(lines)")
    return lines
  }

  @Test(
    "pages are opened once where all writable memory counts; a lack of memory and damage in one read are told apart",
    .enabled(if: !AddressSanitizer.isLoaded, "the address sanitizer maps memory of its own")
  )
  func counted() throws {
    let lines = try run("sealed-counted")
    #expect(lines.prefix(2) == ["scan 20000 20000 all", "scan 20000 20000 none"], "\(lines)")
    #expect(lines.dropFirst(2).first == "scan 20001 20000 some", "\(lines)")
    #expect(
      lines.dropFirst(3) == [
        "without memory noMemory", "then damaged", "read noMemory", "scan 20001 20000 all",
      ],
      "\(lines)"
    )
  }

  @Test(
    "the pages of the file are opened once where the map has no room; each handler gets a failure once",
    .enabled(if: !AddressSanitizer.isLoaded, "the address sanitizer needs address space of its own")
  )
  func crowded() throws {
    #expect(
      try run("sealed-crowded") == [
        "scan 20000 20000 all", "scan 20000 20000 none", "scan 80000 80000 all", "scan 80000 80000 none",
        "reported noMemory", "scan 80000 80000 all", "scan 80000 80000 all", "reported again noMemory",
      ]
    )
  }

  @Test(
    "a damaged length that leads out of the memory for opened pages is damage",
    .enabled(if: !AddressSanitizer.isLoaded, "the address sanitizer needs address space of its own")
  )
  func outgrown() throws {
    #expect(try run("sealed-outgrown") == ["long damaged", "read damaged"])
  }
}
