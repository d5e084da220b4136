import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import TestEffort
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
          let words = ["tree", "rm", "STORE", "rooms/r\(room)", "--write"]
          #expect(TreeTool.run(words, in: "\(disk.path)/chat").status == .done, "room \(room)")
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

    /// Pages are written before the commit, so that memory does not grow with the file; also if each leaf has a
    /// segment of its own. Otherwise the import would find the second member of a name, which is at its end.
    @Test(arguments: [false, true]) func importsWritePagesEarly(_ hasSegments: Bool) throws {
      let disk = try #require(SmallDisk(kilobytes: 12 << 10))
      let chat = ChatRepository(directory: disk.path)
      defer { chat.close() }
      let (tree, files) = (JSONTree(in: chat), try TransferFiles())
      try tree.reference("a").setValueAndWait(["b": 1])
      let name = hasSegments ? String(repeating: "n", count: 700) : "n"
      let text = String(repeating: "x", count: 12_000)
      let members = (0..<1500).map { "\"\(name)\(1000 + $0)\":\"\(text)\"" }.joined(separator: ",")
      let last = "\"\(name.replacing("n", with: "z"))\":{\"a\":1,\"a\":2}"
      let file = try files.file("{\(members),\(last)}")
      expectCode(.storeFull) { try tree.importJSONAndWait(from: file, to: tree.root) }
      #expect(try tree.root.value() == ["a": ["b": 1]] && tree.check() == [])
      // The disk has its space again.
      try tree.reference("c").setValueAndWait(.string(String(repeating: "c", count: 4_000_000)))
    }

    /// An import that fails in the sort, or in the write, and an export that fails.
    @Test(arguments: TestEffort.first(1, of: [false, true])) func importsAndExportsLeaveNothing(
      _ isByTheTool: Bool
    ) throws {
      let disk = try #require(SmallDisk(kilobytes: 12 << 10))
      let chat = ChatRepository(directory: disk.path)
      defer { chat.close() }
      let (tree, files) = (JSONTree(in: chat), try TransferFiles())
      let text = String(repeating: "t", count: 2_000)
      let rooms = (0..<2_500).map { ("r\($0)", JSON.string(text)) }
      try tree.reference("rooms").setValueAndWait(.object(FiefTree.JSONObject(rooms)))
      let (store, out) = ("\(disk.path)/chat", "\(disk.path)/out.json")
      try Data("old".utf8).write(to: URL(filePath: out))
      let names = try FileManager.default.subpathsOfDirectory(atPath: disk.path).sorted()
      for count in [8_000, 20_000] {
        let members = (0..<count).map { "\"m\($0 * 7919 % count)\":\"\(text)\"" }.joined(separator: ",")
        let file = try files.file("{\(members)}")
        if isByTheTool {
          let words = ["tree", "import", "STORE", file, "--at", "all", "--write", "--json"]
          let result = TreeTool.run(words, in: store)
          #expect(result.status == .failed && result.output.contains("storeFull"), "\(result.output)")
        } else {
          expectCode(.storeFull) { try tree.importJSONAndWait(from: file, to: tree.reference("all")) }
        }
        #expect(try tree.root.keys() == ["rooms"] && tree.check() == [] && chat.check().isConsistent)
        // The failed import has no effect on other writes.
        try tree.reference("rooms/r0").setValueAndWait(.int(Int64(count)))
      }
      // The failed imports have given the space back, so another file takes it.
      let filler = URL(filePath: "\(disk.path)/filler")
      try Data(count: 3 << 20).write(to: filler)
      if isByTheTool {
        let result = TreeTool.run(["tree", "export", "STORE", "-o", out, "--json"], in: store)
        #expect(result.status == .failed && result.output.contains("storeFull"), "\(result.output)")
      } else {
        expectCode(.storeFull) { try tree.exportJSONAndWait(from: tree.root, to: out) }
      }
      try FileManager.default.removeItem(at: filler)
      #expect(try String(contentsOfFile: out, encoding: .utf8) == "old")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: disk.path).sorted() == names)
      try tree.reference("rooms").removeValueAndWait()
      #expect(try tree.check() == [] && chat.check().isConsistent)
    }
  }

  /// A small file system in memory, mounted for a test; `nil` if mounting is not permitted.
  final class SmallDisk {
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
