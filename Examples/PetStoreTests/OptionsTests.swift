import Testing

@testable import PetStoreKit

@Suite("The command line") struct OptionsTests {
  @Test("Commands and options in any order")
  func commands() throws {
    #expect(try Options([]).command == .help)
    #expect(try Options(["demo"]).command == .demo)
    let demo = try Options(["--packages", "500", "demo", "--directory", "a b"])
    #expect(demo.command == .demo)
    #expect(demo.packages == 500)
    #expect(demo.directory == "a b")
    #expect(try Options(["import", "--index", "x"]).index == "x")
    let refresh = try Options(["import", "--refresh"])
    #expect(refresh.command == .load && refresh.isRefreshing && refresh.index == nil)
    #expect(try Options(["closure", "bash", "--recommends"]).isFollowingRecommended)
    #expect(try Options(["closure", "bash"]).command == .closure(package: "bash"))
    let depends = try Options(["catalogue", "depends", "bash", "--reverse", "--recursive"])
    #expect(depends.command == .depends(package: "bash") && depends.isReverse && depends.isRecursive)
    let removal = try Options(["catalogue", "--dry-run", "remove-maintainer", "A Team"])
    #expect(removal.command == .removeMaintainer(name: "A Team") && removal.isDryRun)
    #expect(try Options(["orders", "--first", "7"]).command == .orders(first: 7))
    #expect(try Options(["chat"]).command == .chat)
    #expect(try Options(["chat", "follow", "r1"]).command == .follow(room: "r1"))
    #expect(try Options(["watch"]).command == .watch(.catalogue))
    let watch = try Options(["watch", "payments", "--updates", "3"])
    #expect(watch.command == .watch(.payments) && watch.updates == 3)
    let stats = try Options(["stats", "--directory", "x"])
    #expect(stats.command == .stats && stats.directory == "x" && stats.command.usageLabel == nil)
    #expect(try Options(["demo", "--help"]).command == .help)
  }

  @Test(
    "What is wrong is said",
    arguments: [
      (["dance"], "'dance'"), (["closure"], "one package"), (["closure", "a", "b"], "one package"),
      (["demo", "--fast"], "--fast"), (["demo", "--packages"], "needs a value"),
      (["demo", "--packages", "many"], "number above 0"), (["demo", "--packages", "-3"], "number above 0"),
      (["demo", "--packages", "0"], "number above 0"), (["demo", "now"], "'demo'"),
      (["--directory", ""], "needs a value"), (["catalogue"], "'depends'"),
      (["catalogue", "depends"], "one name"), (["catalogue", "dance", "x"], "'remove-maintainer'"),
      (["catalogue", "remove-maintainer", "a", "b"], "one name"), (["watch", "ads"], "catalogue, payments"),
      (["chat", "r1"], "a room"), (["chat", "join", "r1"], "a room"),
      (["stats", "pets"], "'stats'"),
    ]
  )
  func mistakes(arguments: [String], part: String) {
    let error = #expect(throws: Options.UsageError.self) { try Options(arguments) }
    #expect(error?.description.contains(part) == true)
  }
}
