"use strict";
// The arithmetic of fusion, as stagg's Python has it: arrays in, arrays out. It knows nothing of the page.
//
// An input is {rankers, multiplicities, declared, trust}. A query is {n, lists, draws}: its items are numbered from 0 in
// the descending order of their ids, which is the order of equal items; a list is {ranker, items, tied, scores}, best
// first. A setting is {name, c, phi, sigma, gamma, norm, utility, shape, missing, weights, depth}; a weight of 0 is a
// ranker that is absent. Sums are made in whole numbers, as kernels/sums.py makes them: their bits are Python's.
const Fusion = (() => {
  const TIE = TIE_TOLERANCE;  // of the larger mass of two scores, the sum of |terms|: scores closer than that are equal
  const TINY = 1e-308;  // scores smaller than that are equal, too
  const APART = 1e-6;  // of the largest mass: how far below all others candidates stand that no list holds
  const BITS = 62, HALF = 2 ** 31, WHOLE = 2 ** 52;

  // --- numbers as whole multiples of a power of two -----------------------------------------------------------------

  const bits = new DataView(new ArrayBuffer(8));
  // e with 2^(e-1) <= |value| < 2^e, and 0 for 0
  const exponent = (value) => {
    if (value === 0) return 0;
    bits.setFloat64(0, value);
    const raw = (bits.getUint16(0) >> 4) & 2047;
    return raw ? raw - 1022 : exponent(value * 2 ** 54) - 54;
  };
  const scale = (value, shift) =>
    Math.abs(shift) < 1000 ? value * 2 ** shift : value * 2 ** Math.trunc(shift / 2) * 2 ** (shift - Math.trunc(shift / 2));
  // to the nearest whole number, halves to the even one
  const round = (value) => {
    if (Math.abs(value) >= WHOLE) return value;
    return value < 0 ? value - WHOLE + WHOLE : value + WHOLE - WHOLE;
  };

  // The sums of weight · values[e] over all rows {owners, values, weight} and all e with owners[e] === i: {totals, masses},
  // the masses those of the absolute values. No order of the terms changes a bit, and no term of another item.
  const exactSums = (count, rows) => {
    const power = new Float64Array(count), terms = new Int32Array(count);
    let signed = false;
    for (const {owners, values, weight} of rows) {
      for (let e = 0; e < values.length; e++) {
        const value = values[e] * weight, owner = owners[e];
        if (value < 0) signed = true;
        power[owner] = Math.max(power[owner], Math.abs(value));
        terms[owner]++;
      }
    }
    // 2^shift, or -shift where that is no ordinary number
    for (let i = 0; i < count; i++) {
      const shift = BITS - exponent(power[i]) - exponent(terms[i]);
      power[i] = shift < 1000 ? 2 ** shift : -shift;
    }
    const totals = addUnits(count, rows, power, (value) => value);
    return {totals, masses: signed ? addUnits(count, rows, power, Math.abs) : totals};
  };
  const addUnits = (count, rows, power, of) => {
    const high = new Float64Array(count), low = new Float64Array(count);
    for (const {owners, values, weight} of rows) {
      for (let e = 0; e < values.length; e++) {
        const owner = owners[e], by = power[owner], value = of(values[e] * weight);
        const whole = round(by > 0 ? value * by : scale(value, -by));
        const upper = Math.floor(whole * (1 / HALF));
        high[owner] += upper;
        low[owner] += whole - upper * HALF;
      }
    }
    for (let i = 0; i < count; i++) {
      const total = high[i] * HALF + low[i];
      high[i] = power[i] > 0 ? total / power[i] : scale(total, power[i]);
    }
    return high;
  };
  const largestOf = (values) => {
    let most = 0;
    for (let e = 0; e < values.length; e++) most = Math.max(most, Math.abs(values[e]));
    return most;
  };
  const exactSum = (values) => exactSums(1, [{owners: new Int32Array(values.length), values, weight: 1}]).totals[0];
  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // --- expected utilities of St.Agg: kernels/stochastic/expectations.py ----------------------------------------------------------

  const STEP = 0.3, LAST = 44;
  const grid = (low, high, step = STEP) =>
    Array.from({length: Math.max(0, Math.ceil((high - low) / step))}, (_, k) => low + k * (low + step - low));
  const phi = (s) => {
    const y = grid(-LAST, Math.log(LAST / Math.min(...s)), STEP / 1.5);
    const grown = y.map(Math.exp), kernel = y.map((v, k) => STEP / 1.5 * grown[k] / (v ** 2 + Math.PI ** 2));
    return s.map((each) => sum(kernel.map((value, k) => value * Math.exp(-each * grown[k]))));
  };
  // u(r) = Σ factors[q] bases[q]^r for ranks below a power of two
  const UTILITIES = {
    rrf: (ranks, c) => {
      const x = grid(-Math.log(c + 1 + ranks) - 18.5, Math.log(LAST / (c + 1)));
      const rest = STEP * Math.exp(x[0]) / Math.expm1(STEP);
      return {factors: [...x.map((v) => STEP * Math.exp(v - (c + 1) * Math.exp(v))), rest],
        bases: [...x.map((v) => Math.exp(-Math.exp(v))), 1]};
    },
    isr: (ranks) => {
      const x = grid(-Math.log(ranks + 1) - 18.5, Math.log(LAST));
      return {factors: x.map((v) => STEP * Math.exp(2 * v - Math.exp(v))), bases: x.map((v) => Math.exp(-Math.exp(v)))};
    },
    dcg: (ranks) => {
      const s = grid(-Math.log(ranks + 1) - 32, Math.log(LAST)).map(Math.exp), more = phi(s);
      const factors = s.map((v, k) => Math.log(2) * STEP * v * Math.exp(-v) * (1 + Math.exp(-v) * more[k]));
      return {factors: [...factors, 1 - sum(factors)], bases: [...s.map((v) => Math.exp(-v)), 1]};
    },
    rbp: (_, p) => ({factors: [1 - p], bases: [p]}),
  };
  const SHAPES = {
    certain: () => 1,
    harmonic: (d, n, s) => 1 - 0.5 / (1 + d / s),
    logistic: (d, n, s) => 1 / (1 + Math.exp(-d / s)),
    linear: (d, n) => 0.5 + d / (2 * n),
    paper: (d, n) => Math.max(d / n, 1 - d / n),
  };
  const powerOfTwo = (n) => 2 ** Math.ceil(Math.log2(Math.max(2, n)));

  // the chance to lose to an unlisted item
  const lostOutside = (missing) => (missing === "neutral" ? 0.5 : 0);

  const meansTable = (base, chance, missing, n, length) => {
    const lost = new Float64Array(length + 1);
    for (let d = 1; d < length; d++) lost[d] = lost[d - 1] + chance(d);
    const gains = Float64Array.from({length}, (_, k) => base
      - (lost[k] + (length - 1 - k) - lost[length - 1 - k] + (missing === "skip" ? 0 : (n - length) * lostOutside(missing))));
    const elsewhere = {below: length + (n - length - 1) / 2, neutral: (n - 1) / 2, skip: base}[missing];
    return {gains, rest: length < n ? base - elsewhere : 0};
  };

  const exponentialTable = ({factors, bases}, chance, missing, n, length) => {
    const gains = new Float64Array(length), ahead = new Float64Array(length), behind = new Float64Array(length);
    const lost = lostOutside(missing);
    const p = Float64Array.from({length}, (_, d) => (d ? chance(d) : 0));
    let rest = 0;
    for (let q = 0; q < bases.length; q++) {
      const less = 1 - bases[q], share = lost ? factors[q] * (1 - lost * less) ** (n - length) : factors[q];
      ahead[0] = behind[0] = 1;
      for (let d = 1; d < length; d++) {
        ahead[d] = ahead[d - 1] * (1 - p[d] * less);
        behind[d] = behind[d - 1] * (1 - (1 - p[d]) * less);
      }
      for (let k = 0; k < length; k++) gains[k] += share * (ahead[k] * behind[length - 1 - k]);
      const half = (1 + bases[q]) / 2;
      if (missing === "neutral") rest += factors[q] * half ** (n - 1);
      else if (missing === "below") rest += factors[q] * (bases[q] ** length * half ** (n - length - 1));
    }
    return {gains, rest: length === n ? 0 : rest};
  };

  const expectedTable = ({utility, shape, missing}, n, length, exponentials) => {
    const [name, value] = utility, [form, s] = shape;
    const chance = (d) => SHAPES[form](d, n, s);
    if (name === "borda" || name === "list_borda") return meansTable(name === "borda" ? n : length, chance, missing, n, length);
    return exponentialTable(exponentials(name, value, powerOfTwo(n)), chance, missing, n, length);
  };

  // --- scores brought to one scale: kernels/lists/normalise.py ---------------------------------------------------------------

  const divide = (above, by, otherwise = 0.5) => above.map((value) => (by > 0 ? value / by : otherwise));
  const zScores = (scores, low, high) => {
    const above = scores.map((value) => value - scores[0]), mean = sum(above) / above.length;
    const centred = above.map((value) => value - mean);
    const deviation = Math.sqrt(sum(centred.map((value) => value * value)) / scores.length);
    return divide(centred, high === low ? 0 : deviation, 0);
  };
  const NORMS = {
    "min-max": (scores, low, high) => divide(scores.map((value) => value - low), high - low),
    max: (scores, low, high) => {
      const from = high > 0 ? 0 : low;
      return divide(scores.map((value) => value - from), high === low ? 0 : high - from);
    },
    sum: (scores, low) => {
      const above = scores.map((value) => value - low);
      return divide(above, sum(above));
    },
    "z-score": zScores,
    dbsf: (scores, low, high) => zScores(scores, low, high).map((z) => Math.min(1, Math.max(0, 0.5 + z / 6))),
    l2: (scores) => divide(scores, Math.sqrt(sum(scores.map((value) => value * value)))),
  };
  const normalise = (norm, scores) => {
    if (norm === "none") return scores;
    let most = 0;
    for (const value of scores) most = Math.max(most, Math.abs(value));
    const scaled = scores.map((value) => scale(value, -exponent(most)));
    let low = Infinity, high = -Infinity;
    for (const value of scaled) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return NORMS[norm](scaled, low, high);
  };

  // --- what a list gives: methods/positional/rank_sums.py, comb.py, stochastic.py ------------------------------------------------

  const byPlace = (gain, rest = () => null) => (setting, n, list) => {
    const {length} = list.items;
    return {gains: Float64Array.from({length}, (_, k) => gain(k, n, length, setting)), rest: rest(n, length, setting)};
  };
  const inverseSquare = byPlace((k) => 1 / ((k + 1) * (k + 1)));
  const expected = (setting, n, list, tables) => {
    const {gains, rest} = tables(setting, n, list.items.length);
    return {gains, rest: setting.missing === "skip" ? null : rest};
  };
  const normalised = ({norm}, n, list) => {
    const {length} = list.items;
    if (norm === "rank") return {gains: Float64Array.from({length}, (_, k) => 1 - k / length), rest: null};
    if (norm === "borda") return {gains: Float64Array.from({length}, (_, k) => 1 - k / n), rest: null};
    return {gains: Float64Array.from(normalise(norm, list.scores)), rest: null};
  };
  const meanRank = byPlace((k) => -(k + 1), (n, length) => -0.5 * (length + 1 + n));

  // additive: the score is the weighted sum of what the lists give, up to a scale; summed: up to a factor of the item;
  // whole: what the lists give is whole or halves, so that with whole weights scores are equal only where they are the same
  const plain = (gains) => ({gains, additive: true, summed: true});
  const timesVotes = (gains, factor) => ({gains, additive: false, summed: true, factor});
  const METHODS = {
    rrf: plain(byPlace((k, n, length, {c}) => 1 / (k + (c + 1)))),
    borda: {...plain(byPlace((k, n) => n - k, (n, length, {missing}) => (missing === "skip" ? null : (n - length + 1) / 2))), whole: true},
    rbc: plain(byPlace((k, n, length, {phi}) => (1 - phi) * phi ** k)),
    votecount: {...plain(byPlace(() => 1)), whole: true},
    mean_rank: {...plain(meanRank), mean: true, whole: true},
    median_rank: {gains: meanRank, additive: false, summed: false, reduce: "ranks"},
    isr: timesVotes(inverseSquare, (votes) => votes),
    log_isr: timesVotes(inverseSquare, (votes) => Math.log(Math.max(votes, 1))),
    logn_isr: timesVotes(inverseSquare, (votes, {sigma}) => Math.log(Math.max(votes + sigma, 1))),
    stagg_rrf: plain(expected),
    stagg_bc: plain(expected),
    stagg: plain(expected),
    stagg_trust: {...plain(expected), trusts: true},
    combsum: plain(normalised),
    combmnz: timesVotes(normalised, (votes) => votes),
    wmnz: {...timesVotes(normalised, (votes) => votes), counts: true},
    gmnz: timesVotes(normalised, (votes, {gamma}) => (votes > 0 ? votes : 1) ** gamma),
    combanz: {...timesVotes(normalised), divides: true},
    combmax: {gains: normalised, additive: false, summed: false, reduce: "max"},
    combmin: {gains: normalised, additive: false, summed: false, reduce: "min"},
    combmed: {gains: normalised, additive: false, summed: false, reduce: "median"},
  };

  // the sum of values[start..end], added up in the order in which NumPy does it: eight at a time, then by halves
  const pairwiseSum = (values, start, end) => {
    const count = end - start;
    if (count > 128) {
      const half = Math.floor(count / 2), middle = start + half - half % 8;
      return pairwiseSum(values, start, middle) + pairwiseSum(values, middle, end);
    }
    let k = start, total = 0;
    if (count >= 8) {
      const r = values.slice(start, start + 8);
      for (k += 8; k < end - count % 8; k += 8) for (let j = 0; j < 8; j++) r[j] += values[k + j];
      total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    }
    for (; k < end; k++) total += values[k];
    return total;
  };
  // tied entries share the mean of what their group has
  const shareTies = (gains, tied) => {
    for (let start = 0, end; start < gains.length; start = end) {
      for (end = start + 1; end < gains.length && tied[end]; end++);
      if (end > start + 1) gains.fill((gains[start] + pairwiseSum(gains, start + 1, end)) / (end - start), start, end);
    }
    return gains;
  };

  // --- trust: methods/stochastic/trust.py, kernels/agreement/confidence.py -------------------------------------------------------------------

  const FIRST = 100, MANTISSA = 2 ** 32;
  const spread = (scores) => {
    const parts = Array.from(scores.subarray(0, FIRST), (value) => scores[0] - value);
    const most = Math.max(...parts.map(Math.abs));
    if (parts.length < 2 || !(most > 0)) return NaN;
    const shares = parts.map((value) => value / most), mean = sum(shares) / shares.length;
    const found = most * Math.sqrt(sum(shares.map((value) => (value - mean) ** 2)) / shares.length);
    if (!(found > 0 && found < Infinity)) return NaN;
    const e = exponent(found);
    return scale(round(scale(found, -e) * MANTISSA) / MANTISSA, e);
  };
  // where a spread stands among all: the share that is less, and half of what is equal
  const percentile = (value, table) => {
    if (Number.isNaN(value)) return 0.5;
    let places = 0;
    for (const each of table) places += (each < value ? 1 : 0) + (each <= value ? 1 : 0);
    return places / (2 * table.length);
  };
  const confidence = (believed, list) => believed?.confirms > 0 && believed.spreads.length && list.scores
    ? 1 + Math.max(believed.confirms, 0) * (percentile(spread(list.scores), believed.spreads) - 0.5) : 1;

  // what each ranker counts: its weight, or with trust the weight of the first of its copies times their influence
  const votesOf = (input, setting) => {
    if (!METHODS[setting.name].trusts) return Float64Array.from(setting.weights);
    const votes = new Float64Array(input.rankers.length), voters = new Map();
    for (const k of input.byName) {
      const believed = input.trust.rankers[k];
      if (!believed || !(setting.weights[k] > 0)) continue;
      const voter = voters.get(believed.head) ?? k;
      voters.set(believed.head, voter);
      votes[voter] = Math.max(votes[voter], setting.weights[k]);
    }
    return votes.map((prior, k) => prior && prior * input.trust.rankers[k].influence);
  };

  // --- a query under a setting -------------------------------------------------------------------------------------------

  const CENTRED = new Set(["z-score", "dbsf"]);  // on a mean that was computed: its rounding is in all of the list
  const absentFrom = (items, candidates, n) => {
    const held = new Uint8Array(n);
    for (const item of items) held[item] = 1;
    return candidates.filter((i) => !held[i]);
  };
  // All that the weights cannot change, but for which of them are 0.
  const bind = (input, query, setting, votes, tables) => {
    const method = METHODS[setting.name], depth = setting.depth ?? Infinity;
    const lists = query.lists.filter(({ranker}) => votes[ranker] * input.multiplicities[ranker] > 0).map((list) => ({
      ranker: list.ranker,
      items: list.items.subarray(0, depth), tied: list.tied.subarray(0, depth), scores: list.scores?.subarray(0, depth) ?? null,
    }));
    const held = new Uint8Array(query.n);
    for (const {items} of lists) for (const item of items) held[item] = 1;
    const candidates = Int32Array.from({length: query.n}, (_, i) => i).filter((i) => input.declared || held[i]);
    for (const list of lists) {
      const {gains, rest} = method.gains(setting, candidates.length, list, tables);
      Object.assign(list, {top: gains[0], gains: shareTies(gains, list.tied), rest});
      list.factor = method.trusts && input.trust.confidence ? confidence(input.trust.rankers[list.ranker], list) : 1;
      list.sizes = CENTRED.has(setting.norm) ? new Float64Array(gains.length).fill(largestOf(gains)) : list.gains.map(Math.abs);
      if (rest) list.others = absentFrom(list.items, candidates, query.n);
    }
    return {query, lists, held, candidates, name: setting.name, centred: CENTRED.has(setting.norm)};
  };

  const listWeights = (input, {lists}, votes) =>
    lists.map(({ranker, factor}) => votes[ranker] * input.multiplicities[ranker] * factor);

  const sumGains = ({query, lists, name, centred}, weights) => {
    const rows = lists.map(({items, gains}, k) => ({owners: items, values: gains, weight: weights[k]}));
    lists.forEach(({others, rest}, k) => {
      if (others) rows.push({owners: others, values: new Float64Array(others.length).fill(rest), weight: weights[k]});
    });
    const {totals, masses} = exactSums(query.n, rows);
    if (METHODS[name].whole && weights.every(Number.isInteger)) return {totals, masses: new Float64Array(query.n)};
    if (!centred) return {totals, masses};
    return {totals, masses: exactSums(query.n, lists.map(({items, sizes}, k) => ({owners: items, values: sizes, weight: weights[k]}))).totals};
  };
  // the total weight of the lists that hold each item
  const countVotes = (query, lists, weights) => exactSums(query.n, lists.map(({items}, k) =>
    ({owners: items, values: new Float64Array(items.length).fill(1), weight: weights[k]}))).totals;

  const reduceItems = ({query, lists, candidates}, weights, kind) => {
    const scores = new Float64Array(query.n), masses = new Float64Array(query.n);
    const given = Array.from({length: query.n}, () => []);
    lists.forEach((list, k) => {
      if (kind === "ranks") for (const i of candidates) given[i].push([list.rest, weights[k], 0]);
      list.items.forEach((item, e) => {
        if (kind === "ranks") given[item][given[item].length - 1][0] = list.gains[e];
        else given[item].push([list.gains[e], weights[k], list.sizes[e]]);
      });
    });
    for (const i of candidates) {
      if (!given[i].length) continue;
      const values = given[i].map(([value]) => value);
      const taken = kind === "max" ? [Math.max(...values)] : kind === "min" ? [Math.min(...values)]
        : kind === "ranks" ? middle(given[i].map(([value, weight]) => [-value, weight])).map((value) => -value) : middle(given[i]);
      scores[i] = sum(taken) / taken.length;
      masses[i] = sum(taken.map((value) => Math.max(...given[i].filter((each) => each[0] === value).map((each) => each[2])))) / taken.length;
    }
    return {scores, masses};
  };
  // the two middle values, whose mean is the median; weights act as copies
  const middle = (pairs) => {
    const sorted = [...pairs].sort((a, b) => a[0] - b[0]);
    let total = 0;
    const running = sorted.map(([, weight]) => (total += weight));
    const slack = 1e-12 * total;
    return [sorted[running.findIndex((value) => value >= total / 2 - slack)][0],
      sorted[running.findIndex((value) => value > total / 2 + slack)][0]];
  };

  // {scores, masses} of the items: two scores closer than a tiny share of the larger mass are equal
  const scoreItems = (input, bound, setting, votes) => {
    const {query, lists, candidates} = bound, method = METHODS[setting.name];
    const weights = listWeights(input, bound, votes);
    if (method.reduce) return reduceItems(bound, weights, method.reduce);
    const {totals, masses} = sumGains(bound, weights);
    const finish = finishing(method, input, bound, setting, weights);
    const finished = (sums) => {
      for (const i of candidates) sums[i] = finish(sums[i], i);
      return sums;
    };
    const scores = finished(totals);
    return {scores, masses: masses === totals ? scores : finished(masses)};
  };
  // from the sum of an item to its score
  const finishing = (method, input, {query, lists}, setting, weights) => {
    if (method.mean) {
      const voters = lists.length ? exactSum(weights) : 0;
      return (value) => value / (voters > 0 ? voters : 1);
    }
    if (!method.factor && !method.divides) return (value) => value;
    const found = countVotes(query, lists, method.counts ? lists.map(({ranker}) => input.multiplicities[ranker]) : weights);
    return method.divides ? (value, i) => value / (found[i] > 0 ? found[i] : 1) : (value, i) => method.factor(found[i], setting) * value;
  };

  // candidates that no list holds come after all others, unless absence says nothing
  const putUnlistedLast = ({scores, masses}, {candidates, held}) => {
    let least = Infinity, largest = 0;
    for (const i of candidates) {
      if (held[i]) least = Math.min(least, scores[i]);
      largest = Math.max(largest, Math.abs(scores[i]), Math.abs(masses[i]));
    }
    const below = least - Math.max(1, APART * largest);
    for (const i of candidates) if (!held[i] && scores[i] >= least) scores[i] = below;
  };

  const fuseScores = (input, bound, setting, votes) => {
    const scored = scoreItems(input, bound, setting, votes);
    const silent = METHODS[setting.name].gains === expected && setting.missing === "neutral";
    if (input.declared && !silent) putUnlistedLast(scored, bound);
    return scored;
  };

  // whether the scores of two items, the larger first, are equal
  const areEqual = (scores, masses, one, other) =>
    scores[one] - scores[other] <= TIE * Math.max(Math.abs(masses[one]), Math.abs(masses[other]))
      || (Math.abs(scores[one]) < TINY && Math.abs(scores[other]) < TINY);

  // The first items by score, without a sort of all; null where equal scores may reach further.
  const rankFirst = ({scores, masses}, candidates, most) => {
    const order = new Array(most), shown = new Float64Array(most).fill(-Infinity), tied = new Uint8Array(most);
    let largest = 0, next = -Infinity;
    for (let c = 0; c < candidates.length; c++) {
      const item = candidates[c], score = scores[item];
      largest = Math.max(largest, Math.abs(masses[item]));
      if (score <= shown[most - 1]) {
        next = Math.max(next, score);
        continue;
      }
      next = Math.max(next, shown[most - 1]);
      let place = most - 1;
      for (; place > 0 && shown[place - 1] < score; place--) [shown[place], order[place]] = [shown[place - 1], order[place - 1]];
      [shown[place], order[place]] = [score, item];
    }
    for (let k = 1; k < most; k++) if (areEqual(scores, masses, order[k - 1], order[k])) return null;
    const small = Math.abs(shown[most - 1]) < TINY && Math.abs(next) < TINY;
    return shown[most - 1] - next > TIE * largest && !small ? {order, scores: shown, tied} : null;
  };

  // The items by descending score, equal ones by number; a group has the score of its first. `most` bounds how many.
  const rank = (scored, candidates, most = Infinity) => {
    const quick = most < candidates.length ? rankFirst(scored, candidates, most) : null;
    if (quick) return quick;
    const {scores, masses} = scored;
    const order = Array.from(candidates).sort((a, b) => scores[b] - scores[a] || a - b);
    const apart = (k) => !areEqual(scores, masses, order[k - 1], order[k]);
    let end = Math.min(most, order.length);
    while (end > 0 && end < order.length && !apart(end)) end++;
    const tied = new Uint8Array(end), shown = Float64Array.from({length: end}, (_, k) => scores[order[k]]);
    const groups = Array.from({length: end}, (_, k) => (k ? apart(k) : true));
    order.length = end;
    for (let start = 0, stop; start < end; start = stop) {
      for (stop = start + 1; stop < end && !groups[stop]; stop++) [tied[stop], shown[stop]] = [1, shown[start]];
      if (stop > start + 1) order.splice(start, stop - start, ...order.slice(start, stop).sort((a, b) => a - b));
    }
    return {order, scores: shown, tied};
  };

  // what each list gives each of some items
  const gainTable = ({query, lists}, items) => lists.map((list) => {
    const row = new Float64Array(query.n).fill(list.rest ?? 0);
    for (let e = 0; e < list.items.length; e++) row[list.items[e]] = list.gains[e];
    return Float64Array.from(items, (item) => row[item]);
  });
  // how large the numbers were that these gains were made of: the gains themselves where none is negative or centred
  const sizeTable = (bound, items, gains) => {
    if (!bound.centred && gains.every((row) => row.every((gain) => gain >= 0))) return gains;
    return gainTable({query: bound.query, lists: bound.lists.map((list) =>
      ({items: list.items, gains: list.sizes, rest: Math.abs(list.rest ?? 0)}))}, items);
  };
  // the same, weighted
  const parts = (input, bound, votes, items) => {
    const weights = listWeights(input, bound, votes);
    return gainTable(bound, items).map((row, k) => row.map((gain) => gain * weights[k]));
  };

  // --- an input as the page has it --------------------------------------------------------------------------------------------

  const unpackList = ([ranker, items, tied, scores]) => {
    const marks = new Uint8Array(items.length);
    for (const place of tied) marks[place] = 1;
    return {ranker, items: Int32Array.from(items), tied: marks, scores: scores ? Float64Array.from(scores) : null};
  };
  const unpackDraws = (text, lists, wide) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const numbers = new (wide ? Float64Array : Float32Array)(bytes.buffer), count = numbers.length / lists;
    return Array.from({length: lists}, (_, k) => numbers.subarray(k * count, (k + 1) * count));
  };
  const unpackQuery = (data, {items, lists, draws, wide, grades, ideal}) => {
    const takesPart = ({ranker}) => data.start.weights[ranker] * data.multiplicities[ranker] > 0;
    const unpacked = lists.map(unpackList), drawn = unpacked.filter(takesPart).map(({ranker}) => ranker);
    let known = null;
    return {n: items.length, lists: unpacked, drawn: draws ? drawn : [], draws: () => (known ??= unpackDraws(draws, drawn.length, wide)),
      judged: ideal ? {grades, ideal} : null};
  };
  const unpack = (data) => {
    const places = [];
    data.byName.forEach((ranker, place) => { places[ranker] = place; });
    const input = {rankers: data.rankers, multiplicities: data.multiplicities, declared: data.declared, trust: data.trust,
      byName: data.byName, places};
    return open(input, data.queries.map((query) => unpackQuery(data, query)));
  };

  // --- an input with its tables, kept while a setting only moves its weights -----------------------------------------------

  const open = (input, queries) => {
    const terms = new Map(), kept = new Map();
    const remember = (map, key, most, make) => {
      if (!map.has(key)) {
        if (map.size >= most) map.clear();
        map.set(key, make());
      }
      return map.get(key);
    };
    const exponentials = (name, value, ranks) =>
      remember(terms, `${name} ${value} ${ranks}`, 200, () => UTILITIES[name](ranks, value));
    const key = ({weights, ...rest}, votes) => JSON.stringify([rest, Array.from(votes, (vote) => +(vote > 0))]);
    // everything of a setting that its weights do not change; two are kept: the one shown and the reference
    const prepare = (setting) => {
      const votes = votesOf(input, setting);
      const held = remember(kept, key(setting, votes), 3, () => ({tables: new Map(), bound: new Array(queries.length)}));
      const tables = (given, n, length) => {
        const {gains, rest} = remember(held.tables, `${n} ${length}`, 5000, () => expectedTable(given, n, length, exponentials));
        return {gains: gains.slice(), rest};
      };
      const bound = (q) => (held.bound[q] ??= bind(input, queries[q], setting, votes, tables));
      return {votes, bound};
    };
    const fuse = (q, setting, most, prepared = prepare(setting)) => {
      const bound = prepared.bound(q);
      const scored = fuseScores(input, bound, setting, prepared.votes);
      return {...rank(scored, bound.candidates, most), size: bound.candidates.length, bound, votes: prepared.votes};
    };
    return {input, queries, prepare, fuse};
  };

  // --- intervals: aggregate/resampling.py, kernels/lists/bootstrap.py ----------------------------------------------------------------

  // The draws of Python are of the lists that take part at first; with other lists there are none here.
  const canResample = (input, {bound, order}) => METHODS[bound.name].additive && order.length > 0
    && bound.lists.map(({ranker}) => ranker).join() === bound.query.drawn.join() && bound.lists.length > 0;
  // {first, last}[item][draw]: the places of the first items of the order, from 0, with those that they tie with; lists are
  // added up by name, as in Python
  const resample = (input, {order, tied, bound, votes}, most = order.length) => {
    const draws = bound.query.draws(), count = draws[0].length, n = order.length;
    let shown = Math.min(most, n);
    while (shown < n && tied[shown]) shown++;  // a group of the consensus is looked at as a whole
    const given = bound.lists.map(({ranker, factor}) => votes[ranker] * factor);
    const byName = bound.lists.map((_, k) => k).sort((a, b) =>
      input.places[bound.lists[a].ranker] - input.places[bound.lists[b].ranker]);
    const gains = gainTable(bound, order), sizes = sizeTable(bound, order, gains);
    const [first, last] = [0, 1].map(() => Array.from({length: shown}, () => new Int32Array(count)));
    const total = new Float64Array(n), masses = sizes === gains ? total : new Float64Array(n);
    const add = (table, draw, into) => {
      into.fill(0);
      for (const k of byName) {
        const weight = draws[k][draw] * given[k], row = table[k];
        for (let i = 0; i < n; i++) into[i] += weight * row[i];
      }
    };
    for (let draw = 0; draw < count; draw++) {
      add(gains, draw, total);
      if (masses !== total) add(sizes, draw, masses);
      let near = masses === total ? 0 : TIE * largestOf(masses), groups = null;
      for (let i = 0; i < shown; i++) {
        if (masses === total) near = TIE * Math.abs(total[i]);
        const place = groups ? null : countAhead(total, i, 2 * Math.max(near, TINY));
        if (place === null) groups ??= groupPlaces(total, masses);
        first[i][draw] = place ?? groups.first[i];
        last[i][draw] = place ?? groups.last[i];
      }
    }
    return {first, last};
  };
  // how many have more; null where another is so near that they may tie
  const countAhead = (total, i, near) => {
    const mine = total[i];
    let count = 0, close = 0;
    for (let j = 0; j < total.length; j++) {  // without a branch: half of them would be wrong
      count += (total[j] > mine) | 0;
      close += (Math.abs(total[j] - mine) <= near) | 0;
    }
    return close > 1 ? null : count;
  };
  // the first and the last place of the group of each item
  const groupPlaces = (total, masses) => {
    const n = total.length, order = Array.from({length: n}, (_, i) => i).sort((a, b) => total[b] - total[a]);
    const first = new Int32Array(n), last = new Int32Array(n);
    for (let start = 0, end; start < n; start = end) {
      for (end = start + 1; end < n && areEqual(total, masses, order[end - 1], order[end]); end++);
      for (let k = start; k < end; k++) [first[order[k]], last[order[k]]] = [start, end - 1];
    }
    return {first, last};
  };
  // share[item][rank] of the draws, shared by those who tie; the last column is "later"
  const rankShares = ({first, last}, columns) => first.map((row, i) => {
    const found = new Array(columns + 1).fill(0);
    row.forEach((place, draw) => {
      const size = last[i][draw] - place + 1;
      for (let k = place; k <= last[i][draw] && k < columns; k++) found[k] += 1 / size / row.length;
      found[columns] += Math.max(0, last[i][draw] + 1 - Math.max(place, columns)) / size / row.length;
    });
    return found;
  });
  const quantile = (ordered, place) => {
    const low = Math.trunc(place), share = place - low;
    if (share < 1e-9) return ordered[low];
    if (share > 1 - 1e-9) return ordered[low + 1];
    return ordered[low] + share * (ordered[low + 1] - ordered[low]);
  };
  // of the items of the order, of which `tied` says who ties with the one before
  const intervals = ({first, last}, tied, level, k) => {
    const draws = first.length ? first[0].length : 0;
    let group = 1, start = 0, before = null;
    const found = {low: [], high: [], often: [], group: []};
    first.forEach((row, i) => {
      let often = 0;
      for (let draw = 0; draw < draws; draw++) {
        const size = last[i][draw] - row[draw] + 1;
        often += Math.min(Math.max(k - row[draw], 0), size) / size;
      }
      found.low.push(Math.floor(quantile(row.slice().sort(), (1 - level) / 2 * (draws - 1))) + 1);
      found.high.push(Math.ceil(quantile(last[i].slice().sort(), (1 + level) / 2 * (draws - 1))) + 1);
      found.often.push(often / draws);
    });
    // a group starts where all that tie for a place are beaten by all that tie for the place before
    for (let end; start < first.length; start = end) {
      for (end = start + 1; end < first.length && tied[end]; end++);
      const here = first.slice(start, end).map((row, j) => [row, last[start + j]]);
      let beaten = 0;
      for (let draw = 0; before && draw < draws; draw++) {
        beaten += Math.min(...here.map(([row]) => row[draw])) > Math.max(...before.map(([, row]) => row[draw])) ? 1 : 0;
      }
      if (before && beaten / draws >= level) group++;
      for (let i = start; i < end; i++) found.group.push(group);
      before = here;
    }
    return found;
  };

  // --- measures ----------------------------------------------------------------------------------------------------------------

  const dcg = (grades, gain) => {
    let total = 0;
    grades.forEach((grade, r) => { total += (gain === "linear" ? grade : 2 ** grade - 1) * (1 / Math.log2(2 + r)); });
    return total;
  };
  const ratio = (above, below) => (below > 0 ? above / below : 0);
  // of the grades of a list down to the cutoff, and of all grades of the query, largest first
  const MEASURES = {
    ndcg: (grades, ideal, {cutoff, gain}) => ratio(dcg(grades, gain), dcg(ideal.slice(0, cutoff ?? Infinity), gain)),
    p: (grades, ideal, {cutoff, rel}) => grades.filter((grade) => grade >= rel).length / cutoff,
    recall: (grades, ideal, {rel}) => ratio(grades.filter((grade) => grade >= rel).length, ideal.filter((grade) => grade >= rel).length),
    success: (grades, ideal, {rel}) => +grades.some((grade) => grade >= rel),
    mrr: (grades, ideal, {rel}) => ratio(1, 1 + grades.findIndex((grade) => grade >= rel)),
    map: (grades, ideal, {rel}) => {
      let found = 0, total = 0;
      grades.forEach((grade, r) => { if (grade >= rel) total += ++found / (r + 1); });
      return ratio(total, ideal.filter((grade) => grade >= rel).length);
    },
  };
  const evaluate = (order, {grades, ideal}, measure) =>
    MEASURES[measure.kind](order.slice(0, measure.cutoff ?? Infinity).map((item) => grades[item] ?? 0), ideal, measure);
  // rank-biased overlap of the first ranks, scaled so that equal lists have 1
  const rbo = (one, other, depth = 10, p = 0.9) => {
    const deep = Math.min(depth, Math.max(one.length, other.length));
    if (!deep) return 1;
    const first = new Set(), second = new Set();
    let common = 0, total = 0, weight = 0;
    for (let d = 0; d < deep; d++) {
      const a = one[d], b = other[d];
      if (d < one.length) { first.add(a); if (second.has(a)) common++; }
      if (d < other.length) { second.add(b); if (first.has(b)) common++; }
      total += p ** d * common / (d + 1);
      weight += p ** d;
    }
    return total / weight;
  };
  // a small generator with a fixed seed, for the bootstrap over queries
  const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  // (low, high) of the mean: the percentile bootstrap
  const bootstrapMean = (values, draws = 1000, level = 0.95) => {
    const next = random(1), count = values.length;
    const means = Float64Array.from({length: draws}, () => {
      let total = 0;
      for (let k = 0; k < count; k++) total += values[Math.floor(next() * count)];
      return total / count;
    }).sort();
    return [(1 - level) / 2, (1 + level) / 2].map((share) => quantile(means, share * (draws - 1)));
  };

  // --- the smallest change of weights that puts an item first: a linear problem ---------------------------------------------------

  // Minimise Σ x with rows · x >= bounds, x >= 0, by the dual simplex; null where there is no such x.
  const solve = (rows, bounds, columns) => {
    // a tableau of x and the slacks; slack = row · x - bound; starts at x = 0, which is optimal but not feasible
    const table = rows.map((row, r) => [...row.map((value) => -value), -bounds[r]]);
    const cost = [...new Array(columns).fill(1), 0];
    const basis = rows.map((_, r) => columns + r), outside = Array.from({length: columns}, (_, j) => j);
    for (let step = 0; step < 5000; step++) {
      let leave = -1, worst = -1e-11;
      table.forEach((row, r) => { if (row[columns] < worst) [leave, worst] = [r, row[columns]]; });
      if (leave < 0) {
        const x = new Array(columns).fill(0);
        basis.forEach((variable, r) => { if (variable < columns) x[variable] = table[r][columns]; });
        return x;
      }
      let enter = -1, best = Infinity;
      for (let j = 0; j < columns; j++) {
        if (table[leave][j] > -1e-11) continue;
        const ratio = cost[j] / -table[leave][j];
        if (ratio < best - 1e-13 || (ratio < best + 1e-13 && outside[j] < outside[enter])) [enter, best] = [j, ratio];
      }
      if (enter < 0) return null;
      pivot(table, cost, leave, enter);
      [basis[leave], outside[enter]] = [outside[enter], basis[leave]];
    }
    return null;
  };
  const pivot = (table, cost, leave, enter) => {
    const row = table[leave], by = row[enter];
    row[enter] = 1;
    for (let j = 0; j < row.length; j++) row[j] /= by;
    for (const other of [...table, cost]) {
      if (other === row || other[enter] === 0) continue;
      const factor = other[enter];
      other[enter] = 0;
      for (let j = 0; j < row.length; j++) other[j] -= factor * row[j];
    }
  };

  const LEAST = 0.01, MARGIN = 1e-6;
  // Weights of all rankers, or null: those that are on keep at least 0.01, and the sum of all changes is smallest.
  const putFirst = (opened, q, setting, item) => {
    const {bound, votes, order} = opened.fuse(q, setting);
    if (order[0] === item) return [...setting.weights];
    const {input} = opened, at = order.indexOf(item);
    const gains = parts(input, bound, votes, order);
    const owners = bound.lists.map(({ranker}) => ranker);
    const most = Math.max(...gains.flatMap((row) => Array.from(row, Math.abs)));
    const unit = gains.map((row, k) => row.map((value) => value / setting.weights[owners[k]]));
    const rows = [], bounds = [];
    order.forEach((other, j) => {
      if (j === at) return;
      const ahead = unit.map((row) => (row[at] - row[j]) / most);
      rows.push([...ahead, ...ahead.map((value) => -value)]);
      bounds.push(MARGIN - sum(ahead.map((value, k) => value * setting.weights[owners[k]])));
    });
    owners.forEach((ranker, k) => {
      rows.push(Array.from({length: 2 * owners.length}, (_, j) => (j === owners.length + k ? -1 : 0)));
      bounds.push(Math.min(0, LEAST - setting.weights[ranker]));
    });
    const found = solve(rows, bounds, 2 * owners.length);
    if (!found) return null;
    const exact = [...setting.weights];
    owners.forEach((ranker, k) => { exact[ranker] += found[k] - found[owners.length + k]; });
    return settle(opened, q, setting, item, exact);
  };
  // as few digits as still put it first
  const settle = (opened, q, setting, item, exact) => {
    for (const digits of [2, 3, 4, 6, 8]) {
      const weights = exact.map((weight, k) => (weight === setting.weights[k] ? weight : +Math.max(weight, 0).toFixed(digits)));
      if (weights.some((weight, k) => !(weight > 0) && setting.weights[k] > 0)) continue;
      if (opened.fuse(q, {...setting, weights}, 1).order[0] === item) return weights;
    }
    return null;
  };

  return {METHODS, unpack, parts, canResample, resample, rankShares, intervals, evaluate, rbo, bootstrapMean, putFirst};
})();
