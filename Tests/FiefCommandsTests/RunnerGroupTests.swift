import Fief
import FiefCommands
import Foundation
import Testing

@Suite("The runner and stores that a group shares") struct RunnerGroupTests {
  @Test("Every command goes with the option of the repository, and the files stay the group's")
  func sharing() throws {
    let fixture = try RunnerFixture()
    try fixture.fill("a")
    for name in ["a/data.mdb", "a/lock.mdb", "a/store.manifest", "a"] {
      #expect(chown(fixture.path(name), geteuid(), getegid()) == 0)
      #expect(chmod(fixture.path(name), name == "a" ? 0o770 : 0o660) == 0)
    }
    let refused = fixture.run([fixture.repository("a", version: 2)], "status")
    #expect(refused.outcome == .refused)
    #expect(refused.text.contains("allowsGroupWritableDirectory"), "\(refused.text)")
    func shared(_ version: UInt64) -> RunnerRepository {
      RunnerRepository("a", in: fixture.directory, version: version, allowsGroup: true)
    }
    let commands = [
      ["status"], ["plan", "--rehearse"], ["migrate"], ["verify"], ["compact"], ["backup"], ["rollback"],
    ]
    for command in commands {
      let result = fixture.run([shared(2)], command + ["--yes"])
      #expect(result.outcome == .done, "\(command) \(result.text)")
    }
    #expect(try shared(1).contents() == RunnerRepository.expected("a", hounds: 20, version: 1))
    let mode = try FileManager.default.attributesOfItem(atPath: fixture.path("a/data.mdb"))[.posixPermissions]
    #expect(mode as? Int == 0o660)
  }
}
