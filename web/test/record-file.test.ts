/** What the page takes for a record file. Whether a game in it breaks a rule, the server says. */
import { expect, it } from 'vitest'
import { gamesIn } from '../src/replay/record-file.svelte'

const game = (name: string) => ({ format: 'wizard-record/1', players: [{ name }], rounds: [], rules: {} })
const line = (name: string) => JSON.stringify(game(name))
const names = (text: string) => gamesIn(text).games.map(({ line, record }) => [line, record.players[0]!.name])

it('one game in the whole file, on one line or on many', () => {
  expect(names(line('Ada'))).toEqual([[1, 'Ada']])
  expect(names(JSON.stringify(game('Ada'), null, 2))).toEqual([[1, 'Ada']])
})
it('a game on each line, with empty lines and a byte order mark', () => {
  expect(names(`\ufeff${line('Ada')}\r\n\n${line('Bo')}\n`)).toEqual([[1, 'Ada'], [3, 'Bo']])
})
it.each([
  ['', 'no game'],
  ['  \n\n', 'no game'],
  ['hello', 'Line 1'],
  [`${line('Ada')}\n{"players": 3}`, 'Line 2'],
  [`${line('Ada')}\n{"players": [{}], "rounds": []}`, 'Line 2'],
  ['[1, 2]', 'Line 1'],
  ['null', 'Line 1'],
  [`${line('Ada').slice(0, -1)}, "more": ${'['.repeat(3000)}${']'.repeat(3000)}}`, 'Line 1'],
])('%j has %s', (text, problem) => {
  expect(gamesIn(text).games).toEqual([])
  expect(gamesIn(text).problem).toContain(problem)
})
