import Fief
import PetStoreMigrations

/// Packages that need each other in a circle, virtual ones, every priority and some that are none.
enum CatalogueSample1 {
  private typealias Version = CatalogueVersion1

  static func fill(_ tx: WriteTransaction) throws {
    let team = maintainer("team@lists.example.org", "Games Team")
    let jurgen = maintainer("jj@example.org", "Jürgen \"JJ\" Ångström (日本)")
    let libs = section("libs"), fonts = section("non-free/fonts"), unknown = section("")
    let tags = ["role::program", "game", "works-with::3d::model", "::"].map { name in
      let tag = Version.Tag()
      tag.name = name
      return tag
    }
    let bash = package("bash", "5.2-1", "required", "bash", 7000)
    let libc = package("libc6", "2:2.36~rc1-9+b1", "optional", "glibc", 13_088)
    let python = package("python3", "3.11", "important", "python3-defaults", 90)
    let fonts0 = package("fonts-nötö", "1", "extra", "", 0)
    let odd = package("odd", "0", "whenever", "glibc", -1)
    let awk = Version.Package(), mta = Version.Package()
    (awk.name, mta.name) = ("awk", "mta")
    bash.isEssential = true
    (libc.section, libc.maintainer) = (libs, team)
    (python.section, python.maintainer) = (libs, team)
    (fonts0.section, fonts0.maintainer) = (fonts, jurgen)
    odd.section = unknown
    fonts0.homepage = "https://例え.jp/フォント"
    fonts0.summary = Sample.longText
    python.homepage = ""
    python.tags = List([tags[0], tags[2], tags[0]])
    bash.tags = List([tags[0]])
    odd.tags = List([tags[1], tags[3]])
    bash.needs = List([libc, awk])
    libc.needs = List([bash, libc])
    python.needs = List([libc])
    python.recommends = List([mta, bash])
    odd.provides = List([awk, mta])
    bash.relations = List([
      dependency(.preDepends, 0, "libc6", nil, ">=", "2.36"), dependency(.depends, 0, "awk", nil, nil, nil),
      dependency(.depends, 0, "mawk", "any", nil, nil),
    ])
    python.relations = List([dependency(.recommends, 3, "mta", "native", "<<", "")])
    odd.relations = List([dependency(.provides, 0, "awk", "", "=", "1")])
    for package in [bash, libc, python, fonts0, odd, awk, mta] { try tx.add(package, update: .error) }
  }

  private static func package(
    _ name: String,
    _ version: String,
    _ priority: String,
    _ source: String,
    _ size: Int
  ) -> Version.Package {
    let package = Version.Package()
    package.name = name
    package.state = .available
    package.version = version
    package.architecture = "amd64"
    package.priority = priority
    package.source = source
    package.summary = "What \(name) is"
    package.installedSize = size
    package.downloadSize = size * 300
    return package
  }

  private static func maintainer(_ email: String, _ name: String) -> Version.Maintainer {
    let maintainer = Version.Maintainer()
    maintainer.email = email
    maintainer.name = name
    return maintainer
  }

  private static func section(_ name: String) -> Version.Section {
    let section = Version.Section()
    section.name = name
    return section
  }

  private static func dependency(
    _ kind: Version.Dependency.Kind,
    _ clause: Int,
    _ name: String,
    _ qualifier: String?,
    _ relation: String?,
    _ version: String?
  ) -> Version.Dependency {
    let dependency = Version.Dependency()
    dependency.kind = kind
    dependency.clause = clause
    dependency.name = name
    dependency.qualifier = qualifier
    dependency.relation = relation
    dependency.version = version
    return dependency
  }
}
