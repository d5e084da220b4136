import Fief
import FiefConsole
import FiefTesting
import FiefToolKit
import FiefTree
import Foundation
import Testing

#if os(Linux)
  import Glibc

  /// Removing places when the disk has no room for anything else.
  @Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting a file system is not permitted"))
  struct FullDiskTreeTests {
    @Test(arguments: [false, true]) func removingWorksFromTheReserve(_ isByTheTool: Bool) async throws {
      let disk = try #require(SmallDisk(kilobytes: 6 << 10))
      let chat = ChatRepository(directory: disk.path)
      defer { chat.close() }
      let tree = JSONTree(in: chat)
      let text = String(repeating: "t", count: 2_000)
      var rooms = 0
      var full: FiefError?
      while full == nil, rooms < 10_000 {
        let messages = (0..<10).map { ("m\($0)", ["text": .string(text), "from": "ada"] as JSON) }
        do {
          try tree.reference("rooms/r\(rooms)").setValueAndWait(.object(FiefTree.JSONObject(messages)))
          rooms += 1
        } catch let error as FiefError {
          full = error
        }
      }
      #expect(full?.code == .storeFull && rooms > 50)
      #expect(try tree.reference("rooms").childCount() == rooms)
      for _ in 0..<3 { expectCode(.storeFull) { try tree.reference("new").setValueAndWait(.string(text)) } }
      // A part of an update that removes is refused with the rest of it.
      let update: FiefTree.JSONObject = ["rooms/r0": nil, "new": .string(text)]
      expectCode(.storeFull) { try tree.root.updateChildValuesAndWait(update) }
      #expect(try tree.reference("rooms/r0").exists() && tree.check() == [])
      if isByTheTool { chat.close() }
      for room in 0..<(rooms / 2) {
        if isByTheTool {
          #expect(Self.remove("rooms/r\(room)", in: "\(disk.path)/chat") == .done, "room \(room)")
        } else if room % 2 == 0 {
          try await tree.reference("rooms/r\(room)").removeValue()
        } else {
          try tree.root.updateChildValuesAndWait(["rooms/r\(room)": nil])
        }
      }
      #expect(try tree.reference("rooms").childCount() == rooms - rooms / 2)
      #expect(try tree.check() == [] && chat.check().isConsistent)
      // The freed pages are used again.
      for number in 0..<(rooms / 4) {
        try tree.reference("again/\(number)").setValueAndWait(.string(text))
      }
    }

    private static func remove(_ path: String, in store: String) -> FiefConsole.ExitStatus {
      let terminal = Terminal(isTerminal: false, columns: 80, environment: [:])
      let console = Console(terminal: terminal) { _ in }
      let io = CommandIO(
        output: console,
        error: console,
        isInteractive: false,
        readSecret: { _ in nil },
        environment: [:]
      )
      let streams = ToolStreams(io: io, writeOutput: { _ in }, readInput: { Data() })
      return FiefTool.run(["tree", "rm", store, path, "--write"], streams)
    }
  }

  /// A small file system in memory, mounted for a test; `nil` if mounting is not permitted.
  private final class SmallDisk {
    let path = FileManager.default.temporaryDirectory.path + "/fief-tree-disk-\(UUID().uuidString)"

    init?(kilobytes: Int) {
      guard mkdir(path, 0o700) == 0 else { return nil }
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else {
        rmdir(path)
        return nil
      }
    }

    deinit {
      umount2(path, 2 /* MNT_DETACH */)
      rmdir(path)
    }

    static let isPossible = SmallDisk(kilobytes: 64) != nil
  }
#endif
