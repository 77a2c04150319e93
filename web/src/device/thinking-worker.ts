/** The second worker: bots and the coach think here. It gets the engine, and then one piece of work after another. */
import { PACKAGES, startedPython, type Engine, type Python } from './engine'
import type { NetsNews } from './messages'
import { Nets } from './nets'

export type ToThinking =
  | { type: 'start'; engine: Engine; mayLoad: boolean }
  | { type: 'allow' } // the person, who saves data, has agreed to load all nets
  | { type: 'prepare'; who: string } // a level or the coach will think
  | { type: 'think'; job: number; who: string; work: string }
  | { type: 'drop' } // nobody waits for the last piece of work any more

/** Without an answer, the work could not be done, and this worker is of no use any more. */
export type FromThinking =
  | { type: 'waits'; job: number; isWaiting: boolean } // for nets, before it begins
  | { type: 'answer'; job: number; answer: string }
  | { type: 'nets'; news: NetsNews }

/** `foretell.browser.worker_thinkers`. */
interface Thinking {
  nets_for(who: string): string
  done(who: string, work: string): string
}

const tell = (message: FromThinking) => self.postMessage(message)

let nets: Nets | null = null
let thinking: Promise<Thinking> | null = null
let wanted: number | null = null // the job that somebody waits for

async function started(engine: Engine, mayLoad: boolean): Promise<Thinking> {
  const starting = startedPython(engine)
  const waiting: [string, Uint8Array][] = []
  let python: Python | null = null
  const write = (into: string, content: Uint8Array) => python!.FS.writeFile(`${PACKAGES}/${into}`, content)
  const keep = (into: string, content: Uint8Array) => void (python ? write(into, content) : waiting.push([into, content]))
  nets = new Nets(engine, mayLoad, keep, (news) => tell({ type: 'nets', news }))
  // While Python starts. Most levels need it, and the network may go away after that.
  void nets.have(Object.keys(engine.nets).filter((name) => engine.nets[name]!.isFirst))
  python = await starting
  for (const [into, content] of waiting) write(into, content)
  return python.pyimport('foretell.browser.worker_thinkers') as Thinking
}

async function have(who: string): Promise<Thinking> {
  const thinkers = await thinking!
  await nets!.have(JSON.parse(thinkers.nets_for(who)) as string[])
  return thinkers
}

async function think(job: number, who: string, work: string): Promise<void> {
  wanted = job
  await thinking!
  tell({ type: 'waits', job, isWaiting: true })
  const thinkers = await have(who)
  if (wanted !== job) return
  tell({ type: 'waits', job, isWaiting: false })
  tell({ type: 'answer', job, answer: thinkers.done(who, work) })
}

async function handle(message: ToThinking): Promise<void> {
  switch (message.type) {
    case 'start':
      thinking = started(message.engine, message.mayLoad)
      await thinking
      break
    case 'allow':
      await thinking
      await nets!.allow()
      break
    case 'prepare':
      await have(message.who)
      break
    case 'think':
      await think(message.job, message.who, message.work)
      break
    case 'drop':
      wanted = null
  }
}

self.onmessage = ({ data }: MessageEvent<ToThinking>) => {
  handle(data).catch(() => {
    if (data.type === 'think') tell({ type: 'answer', job: data.job, answer: '' })
  })
}
