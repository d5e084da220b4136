import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Expressions of rules and their results. Many of them are facts about the original: each operator and method
/// was tried there with values of each type.
struct RuleExpressionTests {
  private static let data: JSON = [
    "x": [
      "a": ["n": 1, "s": "one", "b": true, "d": 2.5, "o": ["k": 1], "whole": 2.0],
      "leaf": "bar",
    ],
    "users": ["bob": ["admin": true], "e\u{301}": 1],
    "foo": ["bar": true],
  ]
  private static let bob = RuleAuth(
    uid: "bob",
    provider: "custom",
    token: [
      "age": 1, "name": "one", "ok": true, "foo": ["bar": true], "list": ["x", "y"],
      "email": "bob@example.com",
    ]
  )

  private func check(_ table: [(String, RuleVerdict)], as auth: RuleAuth? = nil) throws {
    let probe = try RuleProbe(Self.data)
    for (expression, expected) in table {
      #expect(try probe.read(expression, as: auth) == expected, "\(expression)")
    }
  }

  @Test func operatorsHaveTheirPrecedence() throws {
    try check([
      ("true", .yes), ("false", .no), ("!false", .yes), ("!!true", .yes), ("(((true)))", .yes),
      ("true || false && false", .yes), ("(true || false) && false", .no), ("1 + 2 * 3 == 7", .yes),
      ("(1 + 2) * 3 == 9", .yes), ("10 - 2 - 3 == 5", .yes), ("100 / 5 / 2 == 10", .yes),
      ("7 % 4 * 2 == 6", .yes),
      ("1 < 2 == true", .yes), ("1 + 1 < 3", .yes), ("-2 + 3 == 1", .yes), ("- -2 == 2", .yes),
      ("1 == 1 && 2 == 2 || false", .yes), ("true ? false : true", .no), ("false ? false : true", .yes),
      ("false ? false : false ? false : true", .yes), ("(true ? 1 : 2) == 1", .yes), ("1 === 1", .yes),
      ("1 !== 2", .yes), ("'a' != \"b\"", .yes), ("  true  ", .yes), ("\ttrue\n", .yes),
      ("1e3 == 1000", .yes),
      ("1.5E-1 == 0.15", .yes), ("9223372036854775807 == 9223372036854775807", .yes),
    ])
  }

  @Test func onlyNeededPartsAreEvaluated() throws {
    try check([
      ("true || 1 / 0 == 1", .yes), ("false && 1 / 0 == 1", .no), ("true ? true : 1 / 0 == 1", .yes),
      ("false || 1 / 0 == 1", .failed), ("1 / 0 == 1 || true", .failed),
      ("true && data.val().length > 1", .failed),
    ])
  }

  @Test func arithmeticIsStrict() throws {
    try check([
      ("5 / 2 == 2.5", .yes), ("6 / 2 == 3", .yes), ("-7 % 4 == -3", .yes), ("7.5 % 2 == 1.5", .yes),
      ("1 % 0 == 0", .failed), ("1 / 0.0 == 0", .failed), ("0.1 + 0.2 == 0.3", .no),
      ("9223372036854775807 + 1 > 9223372036854775807", .yes),
      ("-9223372036854775807 - 1 == -9223372036854775808", .yes),
      ("(-9223372036854775807 - 1) / -1 > 0", .yes), ("(-9223372036854775807 - 1) % -1 == 0", .yes),
      ("1e308 * 10 > 0", .failed), ("data.child('whole').val() == 2", .yes),
      ("data.child('whole').val() + 1 == 3", .yes),
      ("'a' + 'b' == 'ab'", .yes), ("'a' + 1 == 'a1'", .yes), ("1 + 'a' == '1a'", .yes),
      ("'' + 1.5 == '1.5'", .yes),
      ("'' + data.child('whole').val() == '2'", .yes), ("data.child('none').val() + 1 == 1", .failed),
      ("'a' + data.child('none').val() == 'a'", .failed), ("data.child('b').val() + 1 == 2", .failed),
      ("'a' + data.child('b').val() == 'atrue'", .failed), ("data.child('s').val() - 1 == 0", .failed),
      ("-data.child('s').val() == 0", .failed), ("data.child('o').val() + 'a' == ''", .failed),
      ("1 - 'a' == 0", .malformed), ("true + 1 == 2", .malformed), ("null + 1 == 1", .malformed),
      ("-'a' == 0", .malformed),
    ])
  }

  @Test func comparisonsAreStrict() throws {
    try check([
      ("1 < 1.5", .yes), ("'a' < 'b'", .yes), ("'Z' < 'a'", .yes), ("'a' <= 'a'", .yes), ("2 >= 3", .no),
      ("9007199254740993 == 9007199254740992.0", .no), ("9007199254740993 > 9007199254740992.0", .yes),
      ("'one' == 1", .no), ("1 == '1'", .no), ("null == null", .yes), ("null == false", .no),
      ("0 == false", .no),
      ("'' == null", .no), ("data.child('none').val() == null", .yes), ("data.child('o').val() == null", .no),
      ("data.child('o').val() != null", .yes), ("data.child('o').val() == data.child('o').val()", .failed),
      ("data.child('n').val() < 'a'", .failed), ("data.child('none').val() < 1", .failed),
      ("data.child('b').val() < 1", .failed), ("data.child('n').val() == 1.0", .yes),
      ("'\u{E9}' == 'e\u{301}'", .no), ("1 < 'a'", .malformed), ("true < false", .malformed),
      ("1 < 2 < 3", .malformed),
      ("null < 1", .malformed),
    ])
  }

  @Test func truthValuesAreStrict() throws {
    try check([
      ("data.child('n').val()", .failed), ("data.child('s').val() && true", .failed),
      ("!data.child('n').val()", .failed),
      ("data.child('b').val()", .yes), ("data.child('none').val()", .failed),
      ("data.child('n').val() ? true : false", .failed),
      ("data.child('b').val() ? 7 : true", .failed), ("7", .malformed), ("'foo'", .malformed),
      ("null", .malformed),
      ("1 && true", .malformed), ("!'a'", .malformed), ("true || 1", .malformed),
      ("'a' ? true : false", .malformed),
    ])
  }

  @Test func dataIsReadByPaths() throws {
    try check([
      ("data.child('n').val() == 1", .yes), ("data.child('o/k').val() == 1", .yes),
      ("data.child('o').child('k').exists()", .yes),
      ("data.child('/o//k/').exists()", .yes), ("data.child('').child('n').exists()", .yes),
      ("data.parent().child('leaf').val() == 'bar'", .yes),
      ("data.parent().parent().child('foo/bar').val()", .yes),
      ("data.parent().parent().parent().exists()", .failed), ("root.parent().exists()", .failed),
      ("root.child('users/bob/admin').val() == true", .yes), ("root.hasChild('users/bob')", .yes),
      ("root.hasChild('users/eve')", .no),
      ("data.hasChildren()", .yes), ("data.child('n').hasChildren()", .no),
      ("data.child('none').hasChildren()", .no),
      ("data.hasChildren(['n', 's'])", .yes), ("data.hasChildren(['n', 'none'])", .no),
      ("data.hasChildren(['o/k'])", .yes),
      ("data.child('s').isString()", .yes), ("data.child('n').isNumber()", .yes),
      ("data.child('d').isNumber()", .yes),
      ("data.child('b').isBoolean()", .yes), ("data.child('b').isString()", .no), ("data.isString()", .no),
      ("data.child('none').isNumber()", .no), ("root.isBoolean()", .no), ("data.getPriority() == null", .yes),
      ("root.child('users').child('\u{E9}').exists()", .no),
      ("root.child('users').child('e\u{301}').exists()", .yes),
      ("root.child('a.b').exists()", .failed), ("root.child('a#').exists()", .failed),
      ("root.hasChild('[')", .failed),
      ("root.child('\\u0001').exists()", .failed), ("root.child(data.child('n').val()).exists()", .failed),
      ("root.child(data.child('none').val()).exists()", .failed),
      ("root.hasChildren([data.child('none').val()])", .failed),
      ("root.child('\(String(repeating: "a/", count: 32))').exists()", .no),
      ("root.child('\(String(repeating: "a/", count: 33))').exists()", .failed),
      ("root.child('a').child('\(String(repeating: "a/", count: 32))').exists()", .no),
      ("data.child(1).exists()", .malformed), ("data.hasChildren([])", .malformed),
      ("data.hasChildren('n')", .malformed),
      ("data.hasChildren(['n', 7])", .malformed), ("data.hasChildren(['n'],['s'])", .malformed),
      ("data == null", .malformed),
      ("root.child('foo') != null", .malformed), ("data.exists", .malformed), ("data.foo()", .malformed),
      ("data.val(1)", .malformed),
      ("root = 5", .malformed), ("['a'] == null", .malformed), ("data.val().foo == 1", .malformed),
      ("newData.exists()", .malformed),
    ])
  }

  @Test func textsHaveMethods() throws {
    try check([
      ("'foo'.contains('o')", .yes), ("'foo'.contains('')", .yes), ("'foo'.contains('of')", .no),
      ("'foo'.beginsWith('fo')", .yes),
      ("'foo'.beginsWith('oo')", .no), ("'foo'.endsWith('oo')", .yes), ("'foo'.endsWith('foofoo')", .no),
      ("'foo'.length == 3", .yes),
      ("'\u{1F600}'.length == 2", .yes), ("'\u{E9}'.length == 1", .yes),
      ("'aXbX'.replace('X', '--') == 'a--b--'", .yes),
      ("'aaa'.replace('aa', 'b') == 'ba'", .yes), ("'abc'.replace('', 'x') == 'abc'", .yes),
      ("'abc'.replace('x', 'y') == 'abc'", .yes),
      ("'aB'.toLowerCase() == 'ab' && 'aB'.toUpperCase() == 'AB'", .yes),
      ("'a.b'.replace('.', ',') == 'a,b'", .yes),
      ("'a'.toUpperCase().toLowerCase().length == 1", .yes), ("data.child('s').val().length == 3", .yes),
      ("data.child('n').val().length == 1", .failed), ("data.child('none').val().contains('a')", .failed),
      ("'foo'.contains(data.child('n').val())", .failed),
      ("'foo'.beginsWith(data.child('none').val())", .failed),
      ("'a\\'b\\\\\\n'.length == 5", .yes), ("'\\u0041' == 'A'", .yes), ("\"it's\" == 'it\\'s'", .yes),
      ("'foo'.contains(7)", .malformed), ("1.5.contains('a')", .malformed), ("'foo'.size == 3", .malformed),
      ("'foo'.trim() == ''", .malformed),
      ("'foo'.replace('a') == ''", .malformed), ("'foo'.contains('a', 'b')", .malformed),
      ("'foo", .malformed), ("'\\x' == ''", .malformed),
      ("'\\ud83d' == ''", .malformed), ("'\\u-041' == ''", .malformed), ("'\\u00' == ''", .malformed),
      ("'a\\", .malformed),
    ])
  }

  @Test func theClientHasAnIdentity() throws {
    try check([
      ("auth == null", .yes), ("auth != null", .no), ("auth.uid == null", .yes), ("auth.uid != 'eve'", .yes),
      ("auth.uid == $k", .no),
      ("auth.token.age == null", .yes), ("auth.token.foo.bar == null", .yes),
      ("auth.uid.contains('b')", .failed), ("auth.uid.length > 0", .failed),
      ("auth.token.name.length > 0", .failed), ("root.child('users/' + auth.uid).exists()", .failed),
      ("root.child(auth.uid).exists()", .failed),
      ("auth.name == 'a'", .malformed), ("auth.contains('b')", .malformed),
      ("auth['uid'] == 'bob'", .malformed),
    ])
    try check(
      [
        ("auth != null", .yes), ("auth.uid == 'bob'", .yes), ("auth.provider == 'custom'", .yes),
        ("root.child('users').child(auth.uid).exists()", .yes),
        // A text of the rule may begin with a slash, but not a value of the client.
        ("root.child('/users/' + auth.uid).exists()", .yes),
        ("root.child(('//users' + '/') + auth.uid).exists()", .yes),
        ("root.child('users').hasChildren(['/' + auth.uid])", .yes),
        ("root.child('users/' + '/' + auth.uid).exists()", .failed),
        ("root.child('/' + ('/users/' + auth.uid)).exists()", .failed),
        ("auth.token.age < 5", .yes), ("auth.token.age + 1 == 2", .yes),
        ("auth.token.name + 'two' == 'onetwo'", .yes), ("auth.token.ok", .yes),
        ("auth.token.foo.bar == true", .yes), ("auth.token.none == null", .yes),
        ("auth.token.none.deep == null", .yes),
        ("auth.token.name.length == 3", .yes), ("auth.token.email.endsWith('@example.com')", .yes),
        ("auth.token.email.matches(/^[a-z]+@example\\.com$/)", .yes), ("auth.token.foo == null", .no),
        ("auth.token.foo == auth.token.foo", .failed),
        ("auth.token.age.length == 1", .failed), ("auth.token.age.bar == 1", .failed),
        ("auth.token.name.contains('n')", .yes),
        ("auth == auth", .failed), ("auth.token.none.contains('a')", .failed),
      ],
      as: Self.bob
    )
  }

  @Test func namesOfThePathAreTexts() throws {
    try check([
      ("$k == 'a'", .yes), ("$k.length == 1", .yes), ("root.child('x').child($k).exists()", .yes),
      ("$other == 'a'", .malformed), ("$ == 'a'", .malformed),
      ("$k + 1 == 'a1'", .yes), ("$k < 1", .malformed),
    ])
    let probe = try RuleProbe()
    let rules: JSON = ["rules": ["$a": ["b": ["$c": [".read": "$a + '/' + $c == 'one/two'"]]]]]
    let client = try probe.tree(rules).client(as: nil)
    #expect(try !client.reference("one/b/two").exists() && !client.reference("one/b/two/three").exists())
    expectDenied { try client.reference("one/b/three").exists() }
  }

  @Test func wrongTextsHaveAPlace() throws {
    try check([
      ("", .malformed), ("true false", .malformed), ("true; false", .malformed), ("(true", .malformed),
      ("true)", .malformed), ("var a = 1", .malformed),
      ("true &", .malformed), ("1 +", .malformed), ("sky == 'blue'", .malformed), ("2 ** 2 == 4", .malformed),
      ("01 == 1", .malformed),
      ("1. == 1", .malformed), (".5 == 0.5", .malformed), ("1a == 1", .malformed), ("1e999 == 1", .malformed),
      ("0x10 == 16", .malformed), ("~1 == 1", .malformed),
      ("a ? b", .malformed), ("true ? true", .malformed), ("\u{E9} == 1", .malformed),
      ("'a' == 'b", .malformed), ("query.foo == 1", .malformed),
      ("query == null", .malformed), ("now", .malformed), ("now > 0", .yes), ("now.length == 1", .malformed),
      ("true /* no */", .malformed),
    ])
  }

  @Test func anExpressionIsBounded() throws {
    let deep = { (count: Int) in
      String(repeating: "(", count: count) + "true" + String(repeating: ")", count: count)
    }
    let long = Array(repeating: "data.child('n').val() == 1", count: 250).joined(separator: " && ")
    #expect(long.utf8.count < 8192)
    try check([
      (deep(63), .yes), (deep(64), .malformed), (String(repeating: "!", count: 60) + "true", .yes),
      (String(repeating: "!", count: 4000) + "true", .malformed),
      (long, .yes), (long + String(repeating: " ", count: 8192 - long.utf8.count), .yes),
      (long + String(repeating: " ", count: 8193 - long.utf8.count), .malformed),
      ("'a'" + String(repeating: ".toLowerCase()", count: 64) + " == 'a'", .yes),
      ("'a'" + String(repeating: ".toLowerCase()", count: 65) + " == 'a'", .malformed),
      (String(repeating: "1 + ", count: 2000) + "1 == 2001", .yes),
      (String(repeating: "true ? ", count: 100) + "true", .malformed),
      (String(repeating: "false ? false : ", count: 400) + "true", .yes),
      ("auth.token" + String(repeating: ".a", count: 4000) + " == null", .malformed),
    ])
  }

  @Test func aRuleStopsAfterItsSteps() throws {
    // A text of 1 MiB costs 1,024 steps at each use.
    let text = String(repeating: "a", count: 1 << 20)
    let probe = try RuleProbe(["x": ["a": .string(text)]])
    let uses = { (count: Int) in
      Array(repeating: "data.val().contains('b')", count: count).joined(separator: " || ") + " || true"
    }
    #expect(try probe.read(uses(40)) == .yes)
    #expect(try probe.read(uses(60)) == .failed)
    #expect(try probe.read("data.val().replace('a', data.val()) == ''") == .failed)
    #expect(try probe.read("data.val().replace('a', 'bb').length == 2097152") == .yes)
    let doubled = Array(repeating: "data.val()", count: 200).joined(separator: " + ")
    #expect(try probe.read("(\(doubled)).length > 0") == .failed)
    #expect(try probe.read("data.val().matches(/^(a+)+$/) && !data.val().matches(/^(a+)+b$/)") == .yes)
    #expect(
      try probe.read("data.val().contains(data.val()) && !data.val().contains('b' + data.val())") == .yes
    )
  }
}
