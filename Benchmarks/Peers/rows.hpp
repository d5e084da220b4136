// The rows of a peer: each one measures, and checks the answers or the store it left behind.
#pragma once
#include "system.hpp"
#include "workload.hpp"

// The seconds (or bytes) of one run, and its operations.
struct Figure { double value, operations; };
template <class F> static double timed(F&& f) { double a = now_s(); f(); return now_s() - a; }
static inline double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }

struct Rows {
    using Row = std::function<Figure(int times)>;
    std::string dir;
    const Workload w;
    std::map<std::string, Row> rows;

    Rows(const std::string& d, int64_t N) : dir(d), w(N) { fresh_dir(dir); addReads(); addOpenedReads(); addInserts(); addCommits(); addChanges(); addObserving(); addOpening(); addTrees(); }
    ~Rows() { for (auto& b : bases) b.second.peer->close(); sh("rm -rf '" + dir + "'"); }

private:
    struct Base { std::unique_ptr<Peer> peer; uint64_t bytes; };
    std::map<Schema, Base> bases;
    std::string path(Schema s) const { return dir + "/" + (s == PLAIN ? "P" : s == INDEXED ? "X" : "R"); }
    std::string work() const { return dir + "/W"; }

    // The loaded store of a kind, which no row changes; it stays open.
    Base& base(Schema s) {
        auto it = bases.find(s); if (it != bases.end()) return it->second;
        auto& b = bases[s]; b.peer.reset(make_peer()); load(*b.peer, path(s), s);
        b.bytes = dir_bytes(path(s)); b.peer->open(path(s), s, false); return b;
    }
    Peer& store(Schema s) { return *base(s).peer; }
    // Inserts everything in one commit, and checks what is there after opening it again.
    double load(Peer& p, const std::string& d, Schema s) {
        fresh_dir(d); p.open(d, s, true);
        double t = timed([&] { if (s == REL) p.insertRel(w.N); else p.bulkInsert(w.persons); });
        p.close(); sync_dir(d); p.open(d, s, false); verify(p, w.N, w.sumFull);
        if (s == REL) REQUIRE(p.relationSum(allIds()) == w.dogSum);
        p.close(); return t;
    }
    std::vector<int64_t> allIds() const { std::vector<int64_t> v(w.N); for (int64_t i = 0; i < w.N; i++) v[i] = i + 1; return v; }
    static void verify(Peer& p, uint64_t count, uint64_t full) {
        Cnt c = p.scan(true);
        if (c.count != count || c.sum != full || p.count() != count) DIE("%s: store verification failed: count %llu want %llu, digest %s", p.name(), (unsigned long long)c.count, (unsigned long long)count, c.sum == full ? "ok" : "BAD");
    }
    // Runs a change on a fresh copy of a loaded store, and checks the copy after opening it again.
    double onCopy(Schema s, uint64_t count, uint64_t full, const std::function<double(Peer&)>& change, const std::function<void(Peer&)>& check = {}) {
        base(s); fresh_copy(path(s), work());
        std::unique_ptr<Peer> p(make_peer()); p->open(work(), s, false); REQUIRE(p->sumAge() == w.ageSum);
        double t = change(*p);
        p->close(); p->open(work(), s, false); verify(*p, count, full); if (check) check(*p); p->close();
        sh("rm -rf '" + work() + "'"); return t;
    }
    static Figure repeated(int times, double operations, const std::function<double()>& run) {
        std::vector<double> t; for (int i = 0; i < times; i++) t.push_back(run()); return { median(t), operations };
    }

    void read(const char* name, double operations, std::function<void()> run) {
        rows[name] = [=](int times) {
            run(); // a warm-up
            double t = timed([&] { for (int i = 0; i < times; i++) run(); }); return Figure{ t / times, operations };
        };
    }
    void readCount(const char* name, Cnt expected, std::function<Cnt()> run) {
        read(name, (double)expected.count, [=] { Cnt c = run(); if (c.count != expected.count || c.sum != expected.sum) DIE("%s mismatch", name); });
    }
    void readSum(const char* name, double operations, uint64_t expected, std::function<uint64_t()> run) {
        read(name, operations, [=] { if (run() != expected) DIE("%s mismatch", name); });
    }
    void addReads() {
        double keys = (double)w.randomKeys.size(); Cnt all{ (uint64_t)w.N, w.sumDigest };
        readSum("C", keys, w.randomSum, [this] { return store(PLAIN).pointReads(w.randomKeys); });
        readSum("C_tx", keys, w.randomSum, [this] { return store(PLAIN).pointReadsTx(w.randomKeys); });
        readCount("D", all, [this] { return store(PLAIN).scan(false); });
        readSum("D2", (double)w.N, w.ageSum, [this] { return (uint64_t)store(PLAIN).sumAge(); });
        readCount("E", w.E, [this] { return store(PLAIN).filterE(); });
        readCount("E2", w.e37, [this] { return store(PLAIN).filterAgeEq(37); });
        readCount("F", w.E, [this] { return store(INDEXED).filterE(); });
        readCount("F2", w.e37, [this] { return store(INDEXED).filterAgeEq(37); });
        readCount("F3", w.R, [this] { return store(INDEXED).filterAgeRange(30, 40); });
        readSum("F_max", 1, w.greatestAge, [this] { return (uint64_t)store(INDEXED).greatestAge(); });
        readSum("G", 100, w.topHash, [this] { return store(PLAIN).sortTop(100); });
        readSum("J", 1, w.N, [this] { return store(PLAIN).count(); });
        readSum("K", 1000, w.pagesHash(1000), [this] { uint64_t acc = 0; int got = 0; for (auto& c : w.pages) acc = store(INDEXED).page(c, 20, acc, &got); return acc; });
        readSum("L", (double)w.pick.size(), w.relSum, [this] { return (uint64_t)store(REL).relationSum(w.pick); });
    }

    // Reads of a store that was opened right before: nothing of it is in the caches of the process.
    void readOpened(const char* name, double operations, std::function<bool(Peer&)> run) {
        rows[name] = [=](int times) {
            base(PLAIN); fresh_copy(path(PLAIN), work());
            auto figure = repeated(times, operations, [&] {
                std::unique_ptr<Peer> p(make_peer()); p->open(work(), PLAIN, false); bool isRight = false;
                double t = timed([&] { isRight = run(*p); }); if (!isRight) DIE("%s mismatch", name);
                p->close(); return t; });
            sh("rm -rf '" + work() + "'"); return figure;
        };
    }
    void addOpenedReads() {
        int n = w.commits(1000); std::vector<int64_t> keys(w.randomKeys.begin(), w.randomKeys.begin() + n); uint64_t sum = 0;
        for (auto key : keys) sum += digest(w.persons[key - 1]);
        readOpened("C_cold", n, [=](Peer& p) { return p.pointReads(keys) == sum; });
        readOpened("D_cold", (double)w.N, [=](Peer& p) { Cnt c = p.scan(false); return c.count == (uint64_t)w.N && c.sum == w.sumDigest; });
        readOpened("E_cold", (double)w.E.count, [=](Peer& p) { Cnt c = p.filterE(); return c.count == w.E.count && c.sum == w.E.sum; });
    }

    void addInserts() {
        for (auto& r : { std::pair<const char*, Schema>{ "A", PLAIN }, { "A_idx", INDEXED }, { "A_rel", REL } }) {
            Schema s = r.second;
            rows[r.first] = [=](int times) { return repeated(times, (s == REL ? 4.0 : 1.0) * w.N, [&] {
                std::unique_ptr<Peer> p(make_peer()); double t = load(*p, work(), s); sh("rm -rf '" + work() + "'"); return t; }); };
        }
        rows["N"] = [=](int) { return Figure{ (double)base(PLAIN).bytes, 1 }; };
        rows["N_idx"] = [=](int) { return Figure{ (double)base(INDEXED).bytes, 1 }; };
        rows["N_rel"] = [=](int) { return Figure{ (double)base(REL).bytes, 1 }; };
        rows["O"] = [=](int) {
            fresh_dir(work()); double kb = atof(run_self({ "peak", work(), std::to_string(w.N) }).c_str());
            std::unique_ptr<Peer> p(make_peer()); p->open(work(), PLAIN, false); verify(*p, w.N, w.sumFull); p->close();
            sh("rm -rf '" + work() + "'"); return Figure{ kb * 1024, 1 };
        };
    }

    void addCommits() {
        rows["B"] = [=](int times) {
            auto more = w.more(w.commits(2000)); uint64_t full = w.sumFull; for (auto& p : more) full += full_digest(p);
            return repeated(times, (double)more.size(), [&] { return onCopy(PLAIN, w.N + more.size(), full, [&](Peer& p) {
                return timed([&] { for (auto& x : more) p.insertOneCommit(x); }); }); });
        };
        rows["Bu"] = [=](int times) {
            int n = std::min<int>(w.commits(1000), (int)w.pick.size()); uint64_t full = w.sumFull;
            for (int i = 0; i < n; i++) { Person q = w.persons[w.pick[i] - 1]; full -= full_digest(q); q.balance = q.id * 0.25; full += full_digest(q); }
            return repeated(times, n, [&] { return onCopy(PLAIN, w.N, full, [&](Peer& p) {
                return timed([&] { for (int i = 0; i < n; i++) p.updateBalance({ w.pick[i] }); }); }); });
        };
        rows["B2"] = [=](int times) { return producers(times, false); };
        rows["B2g"] = [=](int times) { return producers(times, true); };
        rows["Q"] = [=](int times) {
            auto v = w.more((int)std::min<int64_t>(10000, w.N)); uint64_t full = 0; for (auto& p : v) full += full_digest(p);
            return repeated(times, (double)v.size(), [&] {
                std::string d = memory(); std::unique_ptr<Peer> p(make_peer()); p->isVolatile = true; p->open(d, PLAIN, true);
                double t = timed([&] { for (auto& x : v) p->insertOneCommit(x); });
                verify(*p, v.size(), full); p->close(); sh("rm -rf '" + d + "'"); return t; });
        };
        rows["disk"] = [=](int) { return Figure{ disk_sync(dir), 1 }; };
    }
    Figure producers(int times, bool grouped) {
        const int T = 8, per = w.commits(500); auto more = w.more(T * per); uint64_t full = w.sumFull; for (auto& p : more) full += full_digest(p);
        std::unique_ptr<Peer> probe(make_peer()); if (grouped && !probe->hasGroup()) return { 0, 0 };
        return repeated(times, T * per, [&] { return onCopy(PLAIN, w.N + T * per, full, [&](Peer& p) {
            std::vector<std::thread> th; std::atomic<int> ready{ 0 }; std::atomic<bool> go{ false };
            for (int k = 0; k < T; k++) th.emplace_back([&, k] {
                void* ctx = grouped ? nullptr : p.threadBegin(); ready++; while (!go) std::this_thread::yield();
                for (int i = 0; i < per; i++) { auto& x = more[i * T + k]; if (grouped) p.groupInsert(x); else p.threadInsert(ctx, x); }
                if (!grouped) p.threadEnd(ctx); });
            while (ready < T) usleep(100);
            return timed([&] { go = true; for (auto& x : th) x.join(); }); }); });
    }
    // observing.hpp
    void addObserving();
    void addTrees();
    Figure watched(int times, int observers, bool isVolatile);
    void compared(const char* name, bool byName, int64_t left, uint64_t full, std::function<void(Peer&)> run);
    static double handoff();

    static std::string memory() { char d[] = "/dev/shm/fief-bench-XXXXXX"; REQUIRE(mkdtemp(d)); return d; }

    void change(const char* name, Schema s, int64_t left, uint64_t full, std::function<void(Peer&)> run, std::function<void(Peer&)> check = {}) {
        rows[name] = [=](int times) { return repeated(times, (double)w.pick.size(), [&] { return onCopy(s, left, full, [&](Peer& p) { return timed([&] { run(p); }); }, check); }); };
    }
    void addChanges() {
        uint64_t deleted = w.fullAfter({}); int64_t left = w.N - (int64_t)w.pick.size();
        change("H", PLAIN, w.N, w.fullAfter([](Person& q) { q.balance = q.id * 0.25; }), [this](Peer& p) { p.updateBalance(w.pick); });
        change("H_idx", INDEXED, w.N, w.fullAfter([](Person& q) { q.age = (q.id * 7) % 100; }), [this](Peer& p) { p.updateAge(w.pick); }, [this](Peer& p) {
            std::vector<char> in(w.N + 1, 0); for (auto id : w.pick) in[id] = 1;
            uint64_t c = 0; for (auto& q : w.persons) if ((in[q.id] ? (q.id * 7) % 100 : q.age) == 37) c++;
            REQUIRE(p.filterAgeEq(37).count == c); });
        rows["H_bulk"] = [=](int times) {
            uint64_t full = w.sumFull; double n = 0;
            for (Person q : w.persons) if (q.age < 10) { full -= full_digest(q); q.balance += 1; full += full_digest(q); n++; }
            return repeated(times, n, [&] { return onCopy(PLAIN, w.N, full, [&](Peer& p) { return timed([&] { p.addBalanceBelow(10, 1); }); }); });
        };
        rows["Batch"] = [=](int times) {
            int n = w.commits(200); std::vector<int64_t> ids(w.pick.begin(), w.pick.begin() + std::min<size_t>(100, w.pick.size())); uint64_t full = w.sumFull;
            for (auto id : ids) { Person q = w.persons[id - 1]; full -= full_digest(q); q.balance += n; full += full_digest(q); }
            return repeated(times, (double)n * ids.size(), [&] { return onCopy(PLAIN, w.N, full, [&](Peer& p) {
                return timed([&] { for (int i = 0; i < n; i++) p.addBalance(ids, 1); }); }); });
        };
        rows["Inc8"] = [=](int times) {
            const int T = 8, per = w.commits(250); int64_t id = w.pick[0]; uint64_t full = w.sumFull;
            { Person q = w.persons[id - 1]; full -= full_digest(q); q.balance += T * per; full += full_digest(q); }
            return repeated(times, T * per, [&] { return onCopy(PLAIN, w.N, full, [&](Peer& p) {
                std::vector<std::thread> th; std::atomic<int> ready{ 0 }; std::atomic<bool> go{ false };
                for (int k = 0; k < T; k++) th.emplace_back([&] { void* ctx = p.threadBegin(); ready++; while (!go) std::this_thread::yield();
                    for (int i = 0; i < per; i++) p.threadAddBalance(ctx, id, 1); p.threadEnd(ctx); });
                while (ready < T) usleep(100);
                return timed([&] { go = true; for (auto& x : th) x.join(); }); }); });
        };
        change("I", PLAIN, left, deleted, [this](Peer& p) { p.deleteMany(w.pick); });
        change("I_idx", INDEXED, left, deleted, [this](Peer& p) { p.deleteMany(w.pick); });
    }

    void addOpening() {
        rows["M"] = [=](int times) {
            base(PLAIN); int i = 0;
            return repeated(times, 1, [&] {
                int64_t id = w.pick[i++ % w.pick.size()]; double t = 0; unsigned long long d = 0;
                REQUIRE(sscanf(run_self({ "open", path(PLAIN), std::to_string(id) }).c_str(), "%lf %llu", &t, &d) == 2);
                if (d != digest(w.persons[id - 1])) DIE("M mismatch"); return t; });
        };
        std::unique_ptr<Peer> probe(make_peer()); if (!probe->hasManyTables()) return;
        rows["M_mem"] = [=](int times) {
            return repeated(times, 1, [&] {
                std::unique_ptr<Peer> p(make_peer()); p->isVolatile = true; std::string d;
                double t = timed([&] { d = memory(); p->open(d, PLAIN, true); }); REQUIRE(p->count() == 0); p->close(); sh("rm -rf '" + d + "'"); return t; });
        };
        rows["M_50"] = [=](int times) {
            std::string d = dir + "/T"; fresh_dir(d); { std::unique_ptr<Peer> p(make_peer()); p->openMany(d, 50, true); p->close(); }
            return repeated(times, 1, [&] { double t = 0; long long id = 0; REQUIRE(sscanf(run_self({ "open50", d }).c_str(), "%lf %lld", &t, &id) == 2); REQUIRE(id == 7); return t; });
        };
    }
};
