import Fief
import Testing

@testable import FiefCore

struct JointPathTests {
  @Test(arguments: [
    ("/data/pets", "/data/orders", "../orders"), ("/a/b/c", "/x/y", "../../../x/y"), ("/a", "/a/b", "b"),
    ("/a/b", "/a", ".."), ("/a//b/./c", "/a/b/d/", "../d"), ("/ä ö/ü", "/ä ö/ß 1", "../ß 1"),
  ])
  func leadsFromOneStoreToTheOther(_ from: String, _ to: String, _ path: String) {
    #expect(JointPath.relative(from: from, to: to) == path)
    let end = JointPath.resolved(path, from: from)
    #expect(end == (to.hasSuffix("/") ? String(to.dropLast()) : to))
  }
}
