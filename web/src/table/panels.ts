export type Panel = 'menu' | 'last' | 'log' | 'sheet' | 'chart' | 'rules' | 'invite' | 'settings' | 'chat'
