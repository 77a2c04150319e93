/** The translated pad does what Python's does: `tests/web/test_pad_rules.py` makes random pads, runs this file and compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Bid, Cloud, Correction, correct, enter, from_json, missing, new_pad, Pad, Rules, to_json, Tricks, undo } from '../src/pad/generated'
import { casefold, ForetellError, is_invisible, is_unsafe, msgspec, split } from '../src/pad/python'

type Row = (number | null)[]
type Step =
  | { do: 'bid' | 'tricks'; seat: number; tricks: number }
  | { do: 'cloud'; seat: number | null; change: number }
  | { do: 'correction'; round: number; bids: Row; won: Row; cloud: [number | null, number] | null }
  | { do: 'correct'; round: number; bids: Row | null; won: Row | null; cloud: [number | null, number] | null }
  | { do: 'undo' }
  | { do: 'reopen' } // written to a file and read again
type Case = { rules: unknown; names: string[]; dealer: number; steps: Step[] } | { text: string }

const cloudOf = (given: [number | null, number] | null) => (given === null ? null : new Cloud(...given))

function after(pad: Pad, step: Step): Pad {
  switch (step.do) {
    case 'bid':
      return enter(pad, new Bid(step.seat, step.tricks))
    case 'tricks':
      return enter(pad, new Tricks(step.seat, step.tricks))
    case 'cloud':
      return enter(pad, new Cloud(step.seat, step.change))
    case 'correction':
      return enter(pad, new Correction(step.round, step.bids, step.won, cloudOf(step.cloud)))
    case 'correct':
      return correct(pad, step.round, step.bids, step.won, cloudOf(step.cloud))
    case 'undo':
      return undo(pad)
    case 'reopen':
      return from_json(to_json(pad))
  }
}

/** An error as plain values; one that is the reason for another is inside it. */
function told(error: unknown): unknown {
  if (!(error instanceof ForetellError)) throw error
  const values = Object.entries(error.values).map(([name, value]) => {
    if (value instanceof ForetellError) return [name, told(value)]
    return [name, value !== null && typeof value === 'object' && 'term' in value ? value.term : value]
  })
  if (error.code === 'not_a_pad') return { kind: error.constructor.name, code: error.code } // the reason is msgspec's own
  return { kind: error.constructor.name, code: error.code, rule: error.rule, values: Object.fromEntries(values) as unknown }
}

/** Everything that a pad says about itself. */
function seen(pad: Pad): unknown {
  const { now } = pad
  const next = missing(pad)
  const seats = pad.names.map((_, seat) => seat)
  return {
    text: to_json(pad),
    numbers: pad.numbers,
    coming: pad.coming.map((one) => [one.number, one.dealer]),
    totals: pad.totals,
    leaders: pad.leaders,
    winners: pad.winners,
    is_over: pad.is_over,
    lines: pad.lines.map(({ number, dealer, bids, won, points, totals }) => [number, dealer, bids, won, points, totals]),
    missing: next && told(next),
    now: now && {
      hand_size: now.hand_size,
      order: now.order,
      awaits: now.awaits,
      bidders: now.bidders,
      silent: now.silent,
      counters: now.counters,
      over: now.over,
      was_bombed: now.was_bombed,
      takers: now.cloud_takers,
      bids: now.open_bids(),
      tricks: seats.map((seat) => now.open_tricks(seat)),
      changes: seats.map((seat) => now.open_changes(seat)),
    },
  }
}

function attempt(made: () => Pad): { pad: Pad | null; answer: unknown } {
  try {
    const pad = made()
    return { pad, answer: seen(pad) }
  } catch (error) {
    return { pad: null, answer: told(error) }
  }
}

function answers(one: Case): unknown[] {
  if ('text' in one) return [attempt(() => from_json(one.text)).answer]
  const first = attempt(() => new_pad(one.names, msgspec.convert(one.rules, Rules), one.dealer))
  const found = [first.answer]
  let { pad } = first
  for (const step of pad ? one.steps : []) {
    const { pad: next, answer } = attempt(() => after(pad!, step))
    found.push(answer)
    pad = next ?? pad
  }
  return found
}

const file = process.env['FORETELL_PADS']

describe('the translated pad', () => {
  it('keeps the score', () => {
    let pad = new_pad(['Ana', 'Bruno', 'Carla'])
    for (const [seat, tricks] of [[1, 1], [2, 1], [0, 0]] as const) pad = enter(pad, new Bid(seat, tricks))
    for (const [seat, tricks] of [[1, 0], [2, 1], [0, 0]] as const) pad = enter(pad, new Tricks(seat, tricks))
    expect(pad.totals).toEqual([20, -10, 30])
    expect(correct(pad, 1, null, [1, 0, 0]).totals).toEqual([-10, -10, -10])
  })

  it.skipIf(!file)('answers as Python does', () => {
    const { cases, characters } = JSON.parse(readFileSync(file!, 'utf8')) as { cases: Case[]; characters: string }
    const signs = [...characters].map((one) => [casefold(one), is_unsafe(one), is_invisible(one), split(`a${one}b`).length])
    writeFileSync(`${file!}.answers`, JSON.stringify({ answers: cases.map(answers), signs }))
  }, 300_000)
})
