// The objects, the keys of each row, and the answers that are right.
#pragma once
#include "peer.hpp"

struct Workload {
    int64_t N;
    std::vector<Person> persons;
    std::vector<int64_t> randomKeys, pick;
    std::vector<PageCur> pages;
    uint64_t sumDigest = 0, sumFull = 0, randomSum = 0, topHash = 0;
    int64_t ageSum = 0, greatestAge = 0, relSum = 0, dogSum = 0;
    Cnt E, e37, R;

    explicit Workload(int64_t n) : N(n), persons(n) {
        for (int64_t i = 0; i < N; i++) gen_person(i + 1, persons[i]);
        for (auto& p : persons) {
            uint64_t d = digest(p); sumDigest += d; sumFull += full_digest(p); ageSum += p.age; greatestAge = std::max(greatestAge, p.age);
            if (p.age >= 30 && p.age < 40) { add(R, d); if (p.name[0] == 'A') add(E, d); }
            if (p.age == 37) add(e37, d);
        }
        Rng random(12345);
        randomKeys.resize(100000);
        for (auto& key : randomKeys) { key = 1 + (int64_t)(random.next() % N); randomSum += digest(persons[key - 1]); }
        int64_t m = std::min<int64_t>(10000, N / 2);
        std::vector<int64_t> perm(N); for (int64_t i = 0; i < N; i++) perm[i] = i + 1;
        for (int64_t i = 0; i < m; i++) std::swap(perm[i], perm[i + (int64_t)(random.next() % (N - i))]);
        pick.assign(perm.begin(), perm.begin() + m);
        makeOrders(random);
        for (int64_t id = 1; id <= 3 * N; id++) { Dog g; gen_dog(id, g); dogSum += g.age; }
        for (auto id : pick) for (int k = 0; k < 3; k++) { Dog g; gen_dog((id - 1) * 3 + k + 1, g); relSum += g.age; }
    }

    uint64_t pagesHash(int count) const {
        uint64_t acc = 0;
        for (int i = 0; i < count; i++)
            for (int64_t k = pagePos[i] + 1; k < std::min<int64_t>(N, pagePos[i] + 21); k++) acc = ordered(acc, digest(persons[byCreated[k]]));
        return acc;
    }
    // The digest of the store after the picked persons were changed, or deleted by a null change.
    uint64_t fullAfter(const std::function<void(Person&)>& change) const {
        uint64_t f = sumFull;
        for (auto id : pick) { Person q = persons[id - 1]; f -= full_digest(q); if (change) { change(q); f += full_digest(q); } }
        return f;
    }
    std::vector<Person> more(int count) const {
        std::vector<Person> v(count); for (int i = 0; i < count; i++) gen_person(N + 1 + i, v[i]); return v;
    }
    // Fewer operations in rows of one commit each where there are fewer objects.
    int commits(int most) const { return (int)std::max<int64_t>(1, std::min<int64_t>(most, N * most / 100000)); }

    void print() const {
        auto u = [](uint64_t x) { return (unsigned long long)x; };
        printf("N %lld\nsumDigest %llu\nsumFull %llu\nageSum %lld\nE %llu %llu\ne37 %llu %llu\nR %llu %llu\nrndSum %llu\ntop %llu\npages %llu\nrel %lld\n",
            (long long)N, u(sumDigest), u(sumFull), (long long)ageSum, u(E.count), u(E.sum), u(e37.count), u(e37.sum), u(R.count), u(R.sum),
            u(randomSum), u(topHash), u(pagesHash(1000)), (long long)relSum);
    }

private:
    std::vector<int64_t> byCreated, pagePos;
    static void add(Cnt& c, uint64_t d) { c.count++; c.sum += d; }
    void makeOrders(Rng& random) {
        auto& v = persons;
        std::vector<int64_t> o(N); for (int64_t i = 0; i < N; i++) o[i] = i;
        int64_t top = std::min<int64_t>(100, N);
        std::partial_sort(o.begin(), o.begin() + top, o.end(), [&](int64_t a, int64_t b) { return std::tie(v[a].age, v[a].name, v[a].id) < std::tie(v[b].age, v[b].name, v[b].id); });
        for (int64_t i = 0; i < top; i++) topHash = ordered(topHash, digest(v[o[i]]));
        byCreated.resize(N); for (int64_t i = 0; i < N; i++) byCreated[i] = i;
        std::sort(byCreated.begin(), byCreated.end(), [&](int64_t a, int64_t b) { return std::tie(v[a].createdAt, v[a].id) < std::tie(v[b].createdAt, v[b].id); });
        for (int i = 0; i < 1000; i++) {
            int64_t k = (int64_t)(random.next() % N);
            pagePos.push_back(k); pages.push_back({ v[byCreated[k]].createdAt, v[byCreated[k]].id });
        }
    }
};
